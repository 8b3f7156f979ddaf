import type { Disturbance } from '@argusai/core';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { describeWithEngine } from '../../../../tests/support/describe-with-engine.js';
import { makeTestImage } from '../../../../tests/support/test-image.js';
import { serviceOf, type TrialRun, trialRun, until } from './fixtures/trial-run.js';

describeWithEngine('harming a container', ({ host }) => {
  let image: string;
  let trial: TrialRun;
  const signal = () => AbortSignal.timeout(30_000);
  const disturb = (how: Disturbance, service = 'web') =>
    trial.runtime.disturb?.(trial.run, service, how, signal());
  const look = async () => (await trial.runtime.inspect(trial.run, ['web'], signal()))[0];

  beforeAll(async () => {
    image = await makeTestImage(host);
  });
  afterEach(() => trial.cleanUp());

  it('pauses it until it may go on, and kills it', async () => {
    trial = trialRun(host);
    await trial.start(serviceOf('web', { image, command: 'sleep 100' }));
    await disturb('pause');
    expect(await look()).toMatchObject({ status: 'running', paused: true, details: { status: 'paused' } });
    await disturb('resume');
    await disturb('resume');
    expect(await look()).toMatchObject({ status: 'running', details: { status: 'running' } });
    expect(await look()).not.toHaveProperty('paused');
    await disturb('kill');
    await until(async () => (await look())?.status === 'exited');
    expect(await look()).toMatchObject({ exitCode: 137, oomKilled: false });
    await disturb('kill');
    await disturb('kill', 'other');
  });
});
