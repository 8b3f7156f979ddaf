import { hostname } from 'node:os';
import { describe, expect, it } from 'vitest';
import { makeWorld, modelService } from '../fixtures/environment-kernel.js';
import { ModelRuntime } from '../fixtures/model-runtime.js';
import { setUp } from '../setup/set-up.js';
import { endLeftFaults } from './run-faults.js';
import { changeRun, readRun } from './runs.js';

/** A run whose service an argus that is gone has left paused, on a runtime with or without a way to let it go on. */
async function pausedRun({ resume, runtime }: { resume?: () => Promise<void>; runtime?: string } = {}) {
  const world = makeWorld((clock) => [
    Object.assign(new ModelRuntime(clock), resume ? { disturb: resume } : {}),
  ]);
  const kernel = world.open({ services: { web: modelService() } });
  const { runId } = await world.passing(setUp(kernel, { build: false }, world.signal));
  const by = { host: hostname(), pid: process.pid, startedAt: 'another time' };
  const left = { fault: 'pause-service', service: 'web', until: 1, by };
  await changeRun(kernel.store, runId, (run) => {
    const { web } = run.services;
    const services = web && runtime ? { web: { ...web, runtime } } : run.services;
    return { ...run, services, faults: [left] };
  });
  const faults = async () => (await readRun(kernel.store, runId))?.faults;
  const end = async () => {
    const run = await readRun(kernel.store, runId);
    if (run) await endLeftFaults(kernel, run, world.signal);
    return world.events.filter(({ type }) => type.startsWith('fault_')).map(({ type, data }) => [type, data]);
  };
  const drop = () => changeRun(kernel.store, runId, (run) => ({ ...run, services: {} }));
  const setup = () => world.passing(setUp(kernel, { build: false }, world.signal));
  return { end, faults, left, drop, setup };
}

const stays = (message: string) => [
  ['fault_left', { fault: 'pause-service', target: 'service:web', message }],
];

describe('what an argus that is gone has broken on purpose', () => {
  it('is taken back', async () => {
    const { end, faults } = await pausedRun({ resume: async () => undefined });
    expect(await end()).toEqual([['fault_undone', { fault: 'pause-service', target: 'service:web' }]]);
    expect(await faults()).toEqual([]);
  });

  it('is a change of the setup that takes it back, although every service is kept', async () => {
    const { setup } = await pausedRun({ resume: async () => undefined });
    expect(await setup()).toMatchObject({ unchanged: false, services: [{ status: 'kept' }] });
    expect(await setup()).toMatchObject({ unchanged: true });
  });

  it('stays noted, and that is told, when its runtime is not loaded', async () => {
    const { end, faults, left } = await pausedRun({ resume: async () => undefined, runtime: 'elsewhere' });
    expect(await end()).toEqual(stays('no loaded plugin brings the runtime elsewhere'));
    expect(await faults()).toEqual([left]);
  });

  it('stays noted, and that is told, when its runtime cannot take it back', async () => {
    const { end, faults, left } = await pausedRun();
    expect(await end()).toEqual(stays('services on model cannot be let go on'));
    expect(await faults()).toEqual([left]);
  });

  it('stays noted, and that is told, when its runtime fails to', async () => {
    const resume = () => Promise.reject(new Error('the engine is away'));
    const { end, faults, left } = await pausedRun({ resume });
    expect(await end()).toEqual(stays('the engine is away'));
    expect(await faults()).toEqual([left]);
  });

  it('is over when the run has its service no more', async () => {
    const { end, faults, drop } = await pausedRun();
    await drop();
    expect(await end()).toEqual([]);
    expect(await faults()).toEqual([]);
  });
});
