import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { describeWithEngine } from '../../../../tests/support/describe-with-engine.js';
import { folderWith } from '../../../../tests/support/folder-with.js';
import { makeTestImage } from '../../../../tests/support/test-image.js';
import { serviceOf, type TrialRun, trialRun, until } from './fixtures/trial-run.js';
import { peakOf } from './memory-peak.js';

describe('what the kernel counts for a container', () => {
  it.each(['docker/abc', 'system.slice/docker-abc.scope', 'own-parent/abc'])(
    'is found in %s',
    async (group) => {
      const root = await folderWith({ [`${group}/memory.peak`]: '5000\n', 'init.scope/memory.peak': '7\n' });
      const places = [
        { root: `${root}/memory`, file: 'memory.max_usage_in_bytes' },
        { root, file: 'memory.peak' },
      ];
      expect(await peakOf('abc', places)).toBe(5_000);
      expect(await peakOf('def', places)).toBeUndefined();
    },
  );
});

describeWithEngine('the memory of a container', ({ host }) => {
  let image: string;
  let trial: TrialRun;
  const peakNow = (service: string) =>
    trial.runtime.memoryPeak?.(trial.run, service, AbortSignal.timeout(10_000));

  beforeAll(async () => {
    image = await makeTestImage(host);
  });
  afterEach(() => trial.cleanUp());

  it('is known at its highest while it runs, also when it needs less by then, and not of one that has ended', async () => {
    trial = trialRun(host);
    const command = ['sh', '-c', 'dd if=/dev/zero of=/dev/null bs=20000000 count=1; touch /done; sleep 100'];
    const hungry = serviceOf('hungry', { image, command, memory: 64_000_000 });
    const context = await trial.start(hungry, serviceOf('ended', { image, command: 'true' }));
    await until(async () => (await trial.runtime.exec(hungry, 'test -e /done', context)).exitCode === 0);
    expect(await peakNow('hungry')).toBeGreaterThan(20_000_000);
    expect(await peakNow('hungry')).toBeLessThanOrEqual(64_000_000);
    expect(await peakNow('ended')).toBeUndefined();
    expect(await peakNow('other')).toBeUndefined();
  });
});
