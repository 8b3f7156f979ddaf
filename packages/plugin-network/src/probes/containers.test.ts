import { readdir, readFile } from 'node:fs/promises';
import { systemClock } from '@argusai/core';
import { runTopology } from '@argusai/plugin-docker';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeWithEngine } from '../../../../tests/support/describe-with-engine.js';
import { makeTestImage, testImage } from '../../../../tests/support/test-image.js';
import { serviceOf, trialRun } from '../../../plugin-docker/src/runtime/fixtures/trial-run.js';
import { makeScratchImage, scratchImage } from '../fixtures/build-image.js';
import { probeBeside } from './beside.js';
import { Companions, probeCompanion } from './companion.js';
import { probeInside } from './inside.js';

const { signal } = new AbortController();

/** The process of a container as this machine numbers it: the engine of a test has numbers of its own. */
async function processOf(id: string): Promise<number> {
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const mounts = await readFile(`/proc/${name}/mountinfo`, 'utf8').catch(() => '');
    if (mounts.includes(`${id}/hosts /etc/hosts`)) return Number(name);
  }
  return expect.fail('the container has no process here');
}

describeWithEngine('looking from where a container is', ({ host }) => {
  const trial = trialRun(host);
  const parts = { client: trial.client, clock: systemClock, timeoutMs: 2_000 };
  const attempts = [
    { host: 'db', ports: [80, 81] },
    { host: 'pay', ports: [] },
    { host: 'nobody', ports: [80] },
  ];
  const expected = [
    {
      name: { status: 'resolved' },
      ports: [
        { port: 80, status: 'open' },
        { port: 81, status: 'refused' },
      ],
    },
    { name: { status: 'resolved' }, ports: [] },
    { name: { status: expect.stringMatching(/not-found|unclear/) }, ports: [{ status: 'unclear' }] },
  ];
  const place = async (service: string) => {
    const { containers } = await runTopology(trial.client, trial.run, [service], signal);
    return containers[0] ?? expect.fail(`there is no ${service}`);
  };

  beforeAll(async () => {
    await makeTestImage(host);
    await makeScratchImage(host);
    await trial.start(
      serviceOf('db', { image: testImage, command: ['httpd', '-f', '-p', '80', '-h', '/'] }),
      serviceOf('api', { image: testImage, command: ['sleep', '1000'] }),
      serviceOf('bare', { image: scratchImage }),
      serviceOf('pay', { kind: 'mock', image: testImage, command: ['sleep', '1000'] }),
    );
  });
  afterAll(() => trial.cleanUp());

  it('works with the tools of its image, as far as it has any', async () => {
    expect(await probeInside(await place('api'), parts)(attempts, signal)).toMatchObject(expected);
    expect(await probeInside(await place('bare'), parts)(attempts, signal)).toBeUndefined();
  });

  it('works from another container in its network, with an image that is there and has a shell', async () => {
    const bare = await place('bare');
    const companions = new Companions([bare.image, testImage]);
    const probe = probeCompanion(bare, trial.run, companions, parts);
    expect(await probe(attempts, signal)).toMatchObject(expected);
    // What was learned is used the next time.
    expect(companions.candidates()).toEqual([testImage]);
    trial.calls.length = 0;
    expect(await probe(attempts, signal)).toMatchObject(expected);
    expect(trial.calls).toHaveLength(1);
  });

  it('never pulls an image to look with', async () => {
    const bare = await place('bare');
    const companions = new Companions([bare.image, 'argus-test:not-there']);
    trial.calls.length = 0;
    const seen = await probeCompanion(bare, trial.run, companions, parts)(attempts, signal);
    for (const call of trial.calls) expect(call.join(' ')).toContain('run --rm --pull=never');
    // The common images may be on the engine of whoever runs this.
    if (seen === undefined) expect(companions.candidates()).toEqual([]);
  });

  it('works from this machine in its network, by the names that it knows', async () => {
    const { id } = await place('bare');
    const pid = await processOf(id);
    const probe = probeBeside({ id, pid }, 2_000);
    expect(await probe(attempts, signal)).toMatchObject(expected);
    // Names from its hosts file, its own for example, count too.
    const own = [{ host: id.slice(0, 12), ports: [80] }];
    expect(await probe(own, signal)).toMatchObject([
      { name: { status: 'resolved' }, ports: [{ status: 'open' }] },
    ]);
  });

  it('does not look from the place of a process that is not the container’s', async () => {
    const { id } = await place('bare');
    expect(await probeBeside({ id, pid: process.pid }, 2_000)(attempts, signal)).toBeUndefined();
    expect(await probeBeside({ id, pid: 0 }, 2_000)(attempts, signal)).toBeUndefined();
    expect(await probeBeside({ id, pid: 2 ** 22 }, 2_000)(attempts, signal)).toBeUndefined();
  });

  it('ends when it is told to', async () => {
    const { id } = await place('api');
    const stopped = AbortSignal.abort(new Error('enough'));
    await expect(probeInside({ id }, parts)(attempts, stopped)).rejects.toThrow('enough');
    const pid = await processOf(id);
    await expect(probeBeside({ id, pid }, 2_000)(attempts, stopped)).rejects.toThrow('enough');
  });
});
