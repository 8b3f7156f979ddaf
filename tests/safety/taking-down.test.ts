import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { containerProject, dataOf } from '../environment/container-project.js';
import { processProject } from '../environment/process-project.js';
import { describeWithEngine } from '../support/describe-with-engine.js';
import { makeTestImage } from '../support/test-image.js';

const count = 25;
/** A command that ends on SIGTERM once all have been told to. */
const waitsForAll = [
  'sh',
  '-c',
  `trap 'echo told >> told; until [ $(wc -l < told) -eq ${count} ]; do sleep 0.2; done; exit 0' TERM; sleep 1000 & wait`,
];
const stubborn = { command: ['sh', '-c', "trap '' TERM; while :; do sleep 0.1; done"] };

describe('taking down', () => {
  it('25 services that depend on each other tells all of them before the first one has ended', {
    timeout: 120_000,
  }, async () => {
    const names = Array.from({ length: count }, (_, index) => `s${index}`);
    const services = Object.fromEntries(
      names.map((name, index) => [name, { command: waitsForAll, dependsOn: names.slice(index - 1, index) }]),
    );
    const project = await processProject({ services, environment: { stopTimeout: '40s' } });
    expect(await project.argus('setup')).toMatchObject({ code: 0 });
    const { code, data } = await project.argus('clean');
    expect([code, data.removed.length, data.failed]).toEqual([0, count, []]);
    // Whoever waited for another one that was not told would be.
    expect(data).not.toHaveProperty('killed');
    expect(await project.leftovers()).toEqual({ processes: [], records: [] });
  });

  it('tells of who is waited for and why, and names who had to be killed', async () => {
    const services = { polite: { command: 'sleep 1000' }, stubborn };
    const project = await processProject({ services, environment: { stopTimeout: '4s' } });
    expect(await project.argus('setup')).toMatchObject({ code: 0 });
    const call = project.start('clean');
    const waits = await call.until(
      ({ type, data }) => type === 'service_state' && JSON.stringify(data).includes('after SIGTERM'),
    );
    expect(waits.data).toMatchObject({
      service: 'stubborn',
      state: 'stopping',
      message: 'it has not ended 2s after SIGTERM, and is killed after 4s',
    });
    const { code, result } = await call.ended;
    expect([code, result?.data]).toMatchObject([0, { killed: ['stubborn'] }]);
  });

  it('what a killed setup has left tells of the same, whoever does it', async () => {
    const unready = { command: 'test -e ready', interval: '100ms', retries: 1_000, startPeriod: '1m' };
    const services = { stubborn: { ...stubborn, healthcheck: unready } };
    const project = await processProject({ services, environment: { stopTimeout: '4s' } });
    for (const command of [['fix', '--yes'], ['setup']]) {
      const killed = project.start('setup');
      await killed.until(({ type, data }) => type === 'service_state' && data?.state === 'waiting');
      killed.child.kill('SIGKILL');
      await killed.ended;
      if (command[0] === 'setup') writeFileSync(join(project.dir, 'ready'), '');
      const call = project.start(...command);
      const waits = await call.until(
        ({ type, data }) => type === 'service_state' && JSON.stringify(data).includes('after SIGTERM'),
      );
      expect(waits.data).toMatchObject({
        service: 'stubborn',
        state: 'stopping',
        message: 'it has not ended 2s after SIGTERM, and is killed after 4s',
      });
      const removed = await call.until(({ type }) => type === 'cleanup_resource');
      expect(removed.data).toMatchObject({
        name: 'stubborn',
        action: 'removed',
        message: 'it did not end on SIGTERM and was killed',
      });
      expect((await call.ended).code).toBe(0);
    }
    await project.argus('clean');
  });
});

describeWithEngine('taking down containers', ({ host }) => {
  it('waits for none that never hears a SIGTERM, and none of them is left', async () => {
    const image = await makeTestImage(host);
    const services = Object.fromEntries(
      ['a', 'b', 'c'].map((name, index) => [
        name,
        { image, command: 'sleep 1000', ...(index > 0 ? { dependsOn: ['a'] } : {}) },
      ]),
    );
    const heard = { image, command: 'sleep 1000', init: true };
    // Longer than taking down may take altogether.
    const config = { services: { ...services, heard }, environment: { stopTimeout: '5m' } };
    const project = await containerProject(host, { config });
    expect(await project.argus('setup')).toMatchObject({ code: 0 });
    const answer = await project.argus('clean');
    expect(answer.code).toBe(0);
    const { failed, killed = [] } = dataOf(answer);
    expect([failed, [...killed].sort()]).toEqual([[], ['a', 'b', 'c']]);
    expect(await project.resources()).toEqual([]);
  });
});
