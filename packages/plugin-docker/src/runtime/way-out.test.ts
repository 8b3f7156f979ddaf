import { createServer } from 'node:net';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { describeWithEngine } from '../../../../tests/support/describe-with-engine.js';
import { makeTestImage } from '../../../../tests/support/test-image.js';
import type { DockerClient } from '../client/docker-client.js';
import { freePort, serviceOf, type TrialRun, trialRun } from './fixtures/trial-run.js';
import { createWayOut } from './way-out.js';

describeWithEngine('the way out of containers to this machine', ({ host }) => {
  let image: string;
  const trials: TrialRun[] = [];

  beforeAll(async () => {
    image = await makeTestImage(host);
  });
  afterEach(async () => {
    for (const one of trials.splice(0)) await one.cleanUp();
  });

  it('is another one for each run, so that two can have the same port', async () => {
    const one = trialRun(host);
    trials.push(one, one.sibling());
    const port = await freePort();
    const pay = serviceOf('pay', { kind: 'mock', routes: [] });
    const client = serviceOf('client', { image, command: 'sleep 100' });
    const answers: string[] = [];
    for (const trial of trials) {
      const context = trial.context([client, pay]);
      await trial.runtime.prepare?.(context);
      const address = await createWayOut(trial.client).find(trial.run, context.signal);
      expect(await trial.runtime.gateways?.(trial.run, context.signal)).toEqual([address]);
      const server = createServer((socket) => socket.end(`${trial.run.id}\n`));
      await new Promise<void>((resolve) => server.listen(port, address, resolve));
      await trial.runtime.start(client, 'spec', context);
      answers.push((await trial.runtime.exec(client, `nc -w 3 pay ${port}`, context)).output);
      server.close();
    }
    expect(answers).toEqual(trials.map(({ run }) => run.id));
  });

  it('is asked for once, and left to the engine when its network is not on this machine', async () => {
    const { run } = trialRun(host);
    let looks = 0;
    const elsewhere = async () => {
      looks += 1;
      if (looks === 1) throw new Error('not now');
      return [{ IPAM: { Config: [{ Gateway: 'fd00::1' }, { Gateway: '192.0.2.1' }] } }];
    };
    const wayOut = createWayOut({ inspect: elsewhere } as unknown as DockerClient);
    const { signal } = new AbortController();
    await expect(wayOut.find(run, signal)).rejects.toThrow('not now');
    expect(await Promise.all([wayOut.find(run, signal), wayOut.find(run, signal)])).toEqual([
      'host-gateway',
      'host-gateway',
    ]);
    expect(await wayOut.gateways(run, signal)).toEqual([]);
    expect(looks).toBe(2);
    wayOut.forget(run);
    await wayOut.find(run, signal);
    expect(looks).toBe(3);
  });
});
