import { describe, expect, it } from 'vitest';
import { makeWorld } from '../fixtures/environment-kernel.js';
import { recordOf } from '../fixtures/service.js';
import { expectServices } from './expect-services.js';
import type { RunRecord } from './run-record.js';
import { changeRun, createRun } from './runs.js';

const noted = { runtime: 'model', spec: '', ports: [], startedAt: 1 };
const services = { api: { command: 'a' }, web: { command: 'a' }, job: { command: 'a', oneShot: true } };

describe('services that are expected', () => {
  async function upWith(record: Partial<RunRecord> = {}) {
    const world = makeWorld();
    const kernel = world.open({ services });
    const { dir: worktree } = kernel.project;
    const started = { api: noted, web: noted };
    const leaseUntil = world.clock.now() + 1_000;
    await createRun(world.store, recordOf({ worktree, leaseUntil, services: started, ...record }));
    const expectAll = () => expectServices(kernel, kernel.project, 'model');
    const change = (update: Partial<RunRecord>) =>
      changeRun(world.store, 'r1', (run) => ({ ...run, ...update }));
    const missed = async (found: string[]) =>
      (await (await expectAll())(found)).map(({ service, run }) => `${run.id}/${service}`);
    return { expectAll, change, missed };
  }

  it('are missed when they are up by the record and were not found', async () => {
    const { missed } = await upWith();
    expect(await missed(['api', 'web'])).toEqual([]);
    expect(await missed(['web'])).toEqual(['r1/api']);
    expect(await missed([])).toEqual(['r1/api', 'r1/web']);
  });

  it.each<[string, Partial<RunRecord>]>([
    ['were never started', { services: {} }],
    ['may have done their work', { services: { job: noted } }],
    ['are not configured any more', { services: { old: noted } }],
    ['another runtime has', { services: { api: { ...noted, runtime: 'another' } } }],
    ['are being started', { state: 'starting' }],
    ['are of a run that is over', { leaseUntil: 0 }],
    ['are of another folder', { worktree: '/elsewhere' }],
    ['are of another project', { project: 'other' }],
  ])('are not missed when they %s', async (_, record) => {
    const { missed } = await upWith(record);
    expect(await missed([])).toEqual([]);
  });

  it('are not missed when they were started or taken down during the look', async () => {
    const { expectAll, change } = await upWith({ state: 'starting' });
    const early = await expectAll();
    await change({ state: 'up' });
    expect(await early([])).toEqual([]);
    const restarted = await expectAll();
    await change({ services: { api: { ...noted, startedAt: 2 }, web: noted } });
    expect(await restarted(['web'])).toEqual([]);
    const late = await expectAll();
    await change({ state: 'stopping' });
    expect(await late([])).toEqual([]);
  });
});
