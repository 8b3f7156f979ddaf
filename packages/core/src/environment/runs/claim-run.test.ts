import { hostname } from 'node:os';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../model/json.js';
import type { StateStore } from '../../state/state-store.js';
import { makeWorld, type World } from '../fixtures/environment-kernel.js';
import { contextOf, recordOf, service } from '../fixtures/service.js';
import { ownIdentity } from '../processes/process-identity.js';
import { supersede } from '../setup/supersede.js';
import { claimRun, currentRun, releaseClaim } from './claim-run.js';
import type { RunRecord } from './run-record.js';
import { changeRun, forgetRun, readRun, runsNamespace, runsOf } from './runs.js';
import { seizeRun } from './seize-run.js';

const deadOwner = { host: hostname(), pid: 1, startedAt: 'never' };

/** Writes what a process that is gone has left of its run. */
async function change(world: World, id: string, rest: Partial<RunRecord>): Promise<void> {
  await changeRun(world.store, id, (record) => ({ ...record, ...rest }));
}

/** The methods of a store, for one that differs only in some. */
function bound(store: StateStore) {
  return {
    id: store.id.bind(store),
    get: store.get.bind(store),
    list: store.list.bind(store),
    delete: store.delete.bind(store),
  };
}

describe('claiming the run of a folder', () => {
  it('makes one where there is none', async () => {
    const world = makeWorld();
    const kernel = world.open({ environment: { lease: '1h' } });
    expect(await currentRun(kernel)).toBeUndefined();
    const { run, reused } = await claimRun(kernel);
    expect(reused).toBe(false);
    expect(run).toMatchObject({
      project: 'test',
      worktree: '/project',
      store: await world.store.id(),
      state: 'starting',
      owner: await ownIdentity(),
      createdAt: world.clock.now(),
      services: {},
      portMappings: [],
      leaseUntil: world.clock.now() + 3_600_000,
    });
    expect(await currentRun(kernel)).toEqual(run);
  });

  it('takes the one that is up', async () => {
    const world = makeWorld();
    const kernel = world.open({});
    const { run } = await claimRun(kernel);
    await change(world, run.id, { state: 'up', owner: deadOwner });
    expect(await claimRun(kernel)).toMatchObject({
      run: { id: run.id, state: 'starting', owner: await ownIdentity() },
      reused: true,
    });
  });

  it('takes the one that was up before a setup that died, as it was before', async () => {
    const world = makeWorld();
    const kernel = world.open({});
    const { run } = await claimRun(kernel);
    const { leaseUntil } = run;
    await change(world, run.id, { state: 'up', owner: deadOwner });
    await claimRun(kernel);
    await change(world, run.id, { owner: deadOwner, leaseUntil: leaseUntil + 1 });
    expect(await currentRun(kernel)).toMatchObject({ id: run.id, state: 'up', leaseUntil });
    expect(await claimRun(kernel)).toMatchObject({ run: { id: run.id, state: 'starting' }, reused: true });
  });

  it.each(['starting', 'stopping'] as const)('is refused while somebody is %s it', async (state) => {
    const world = makeWorld();
    const kernel = world.open({});
    const { run } = await claimRun(kernel);
    await change(world, run.id, { state });
    await expect(claimRun(kernel)).rejects.toMatchObject({
      error: {
        code: 'SETUP_IN_PROGRESS',
        details: { runId: run.id, pid: process.pid, host: hostname() },
      },
    });
  });

  it.each([
    ['its owner died while starting it', { state: 'starting', owner: deadOwner }],
    ['its lease ran out', { state: 'up', leaseUntil: 0 }],
  ] as const)('makes a new one when %s', async (_, rest) => {
    const world = makeWorld();
    const kernel = world.open({});
    const { run } = await claimRun(kernel);
    await change(world, run.id, rest);
    const next = await claimRun(kernel);
    expect(next.reused).toBe(false);
    expect(next.run.id).not.toBe(run.id);
    expect((await currentRun(kernel))?.id).toBe(next.run.id);
  });

  it('makes a new one when the record is gone', async () => {
    const world = makeWorld();
    const kernel = world.open({});
    const { run } = await claimRun(kernel);
    await forgetRun(world.store, run.id);
    expect((await claimRun(kernel)).run.id).not.toBe(run.id);
  });

  it('leaves a record alone that a later version wrote', async () => {
    const world = makeWorld();
    const kernel = world.open({});
    const { run } = await claimRun(kernel);
    await world.store.put(runsNamespace, run.id, { ...run, state: 'dreaming' } as unknown as Json);
    await expect(claimRun(kernel)).rejects.toMatchObject({ error: { code: 'SETUP_IN_PROGRESS' } });
  });

  it('gives it to one of many who ask at once', async () => {
    for (const isUp of [false, true]) {
      const world = makeWorld();
      if (isUp) await change(world, (await claimRun(world.open({}))).run.id, { state: 'up' });
      const claims = Array.from({ length: 10 }, () => claimRun(world.open({})));
      const outcomes = await Promise.allSettled(claims);
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      expect(await runsOf(world.store, 'test')).toHaveLength(1);
    }
  });

  it('is refused with what is at work: another setup, or a clean', async () => {
    const world = makeWorld();
    const { run } = await claimRun(world.open({}));
    const { pid } = run.owner;
    await expect(claimRun(world.open({}))).rejects.toThrow(
      `Another setup of this project is at work: process ${pid}`,
    );
    await change(world, run.id, { state: 'stopping' });
    await expect(claimRun(world.open({}))).rejects.toMatchObject({
      code: 'SETUP_IN_PROGRESS',
      message: expect.stringContaining(`is being taken down by process ${pid}`),
    });
  });

  it('leaves no record when somebody else was quicker', async () => {
    const world = makeWorld();
    const kernel = world.open({});
    let winner: string | undefined;
    const store: StateStore = Object.assign(Object.create(world.store), {
      ...bound(world.store),
      async put(...args: Parameters<StateStore['put']>) {
        if (args[0] === 'worktrees' && winner === undefined) winner = (await claimRun(kernel)).run.id;
        return world.store.put(...args);
      },
    });
    await expect(claimRun({ ...kernel, store })).rejects.toThrow('Another setup of this project is at work');
    expect((await runsOf(world.store, 'test')).map(({ id }) => id)).toEqual([winner]);
  });

  it('never shares a record with another run that happens to have the same id', async () => {
    const world = makeWorld();
    let taken: string | undefined;
    const store: StateStore = Object.assign(Object.create(world.store), {
      ...bound(world.store),
      async put(...args: Parameters<StateStore['put']>) {
        const [namespace, id] = args;
        if (namespace === runsNamespace && taken === undefined) {
          taken = id;
          await world.store.put(namespace, id, recordOf({ id, worktree: '/other' }) as unknown as Json);
        }
        return world.store.put(...args);
      },
    });
    const { run } = await claimRun({ ...world.open({}), store });
    expect(run.id).not.toBe(taken);
    expect(await readRun(world.store, run.id)).toEqual(run);
    expect(await readRun(world.store, taken ?? '')).toMatchObject({ worktree: '/other' });
  });

  it('gives every folder its own', async () => {
    const world = makeWorld();
    const one = await claimRun(world.open({}, { dir: '/one' }));
    const other = await claimRun(world.open({}, { dir: '/other' }));
    expect(one.run.id).not.toBe(other.run.id);
  });

  it('is given up only by the run that has it', async () => {
    const world = makeWorld();
    const kernel = world.open({});
    const { run } = await claimRun(kernel);
    await releaseClaim(kernel, { ...run, id: 'another' });
    expect(await currentRun(kernel)).toBeDefined();
    await releaseClaim(kernel, run);
    expect(await world.store.list('worktrees')).toEqual([]);
  });
});

describe('seizing a run', () => {
  it('asks again when somebody changed it meanwhile', async () => {
    const world = makeWorld();
    const kernel = world.open({});
    const { run } = await claimRun(kernel);
    const seen: string[] = [];
    const seized = await seizeRun(kernel, run.id, 'stopping', async ({ state }) => {
      if (seen.length === 0) await change(world, run.id, { state: 'up' });
      return seen.push(state) > 0;
    });
    expect(seen).toEqual(['starting', 'up']);
    expect(seized).toMatchObject({ id: run.id, state: 'stopping' });
  });

  it('gives nothing of a run that is gone or must be left alone', async () => {
    const kernel = makeWorld().open({});
    const { run } = await claimRun(kernel);
    expect(await seizeRun(kernel, 'gone', 'stopping', () => true)).toBeUndefined();
    expect(await seizeRun(kernel, run.id, 'stopping', () => false)).toBeUndefined();
  });

  it('lasts for a while in the eyes of other machines', async () => {
    const world = makeWorld();
    const kernel = world.open({});
    const { run } = await claimRun(kernel);
    await change(world, run.id, { leaseUntil: 0 });
    const seized = await seizeRun(kernel, run.id, 'stopping', () => true);
    expect(seized?.leaseUntil).toBeGreaterThan(world.clock.now());
  });
});

describe('superseding earlier runs of the folder', () => {
  async function withEarlier(rest: Partial<RunRecord>) {
    const world = makeWorld();
    const earlier = recordOf({ id: 'earlier', state: 'starting', owner: deadOwner, ...rest });
    await world.store.put(runsNamespace, earlier.id, earlier as unknown as Json);
    await world.runtime.start(service('a'), 'spec', contextOf(world, { run: earlier }));
    return world;
  }

  it('takes down what is left of those that are over', async () => {
    const world = await withEarlier({});
    const kernel = world.open({ services: { b: { command: 'run' } } });
    const { run } = await claimRun(kernel);
    await supersede(kernel, run, [service('b')], world.signal);
    expect(world.runtime.size).toBe(0);
    expect((await runsOf(world.store, 'test')).map(({ id }) => id)).toEqual([run.id]);
  });

  it.each([
    ['that are alive', {}, { state: 'up' as const, leaseUntil: Number.MAX_SAFE_INTEGER }],
    ['of other folders', {}, { worktree: '/elsewhere' }],
    ['when orphans are not to be removed', { resilience: { preflight: { cleanOrphans: false } } }, {}],
  ])('leaves those alone %s', async (_, config, rest) => {
    const world = await withEarlier(rest);
    const kernel = world.open(config);
    const { run } = await claimRun(kernel);
    await supersede(kernel, run, [], world.signal);
    expect(world.runtime.size).toBe(1);
    expect(await readRun(world.store, 'earlier')).toBeDefined();
  });
});
