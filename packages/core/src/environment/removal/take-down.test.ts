import { describe, expect, it } from 'vitest';
import { ArgusError } from '../../model/argus-error.js';
import { storeUnavailable } from '../../model/core-error-codes.js';
import { definePlugin } from '../../model/plugin.js';
import type { StateStore } from '../../state/state-store.js';
import { makeWorld, modelService, type World } from '../fixtures/environment-kernel.js';
import { ModelRuntime } from '../fixtures/model-runtime.js';
import { claimRun, currentRun } from '../runs/claim-run.js';
import { abandonRun, changeRun, readRun, runsOf } from '../runs/runs.js';
import type { ServiceSpec } from '../services/service-spec.js';
import { rollBack } from '../setup/roll-back.js';
import { setUp } from '../setup/set-up.js';
import { cleanCurrentRun, currentResources } from './clean-up.js';
import { cleanDeadRuns, deadResources } from './dead-runs.js';

const services = { db: modelService(), api: modelService({ dependsOn: ['db'] }) };

async function upAnd(world: World, config: Record<string, unknown> = { services }, dir = '/project') {
  const kernel = world.open(config, { dir });
  const { runId } = await world.passing(setUp(kernel, { build: true }, world.signal));
  world.runtime.calls.length = 0;
  world.events.length = 0;
  return { kernel, runId };
}

const namesOf = (resources: readonly { name: string }[]) => resources.map(({ name }) => name);

describe('cleaning', () => {
  it('takes dependents down before what they depend on, then what the run itself had', async () => {
    const world = makeWorld();
    const { kernel, runId } = await upAnd(world);
    expect(namesOf((await currentResources(kernel, world.signal)).removed)).toEqual(['api', 'db', 'network']);
    const { removed, failed } = await cleanCurrentRun(kernel, world.signal);
    expect([namesOf(removed), failed]).toEqual([['api', 'db', 'network'], []]);
    expect(world.runtime.calls).toEqual(['remove api', 'remove db', 'remove network']);
    expect(await readRun(world.store, runId)).toBeUndefined();
    expect(await currentRun(kernel)).toBeUndefined();
    const told = world.events.map(({ type, data }) =>
      type === 'service_state' ? `${data.service} ${data.state}` : type,
    );
    expect(told).toEqual([
      ...['api stopping', 'cleanup_resource', 'api stopped'],
      ...['db stopping', 'cleanup_resource', 'db stopped', 'cleanup_resource'],
    ]);
  });

  it('says that it was cancelled, not that it could not look, when it is cancelled while it only looks', async () => {
    const world = makeWorld();
    const { kernel } = await upAnd(world);
    const stop = new AbortController();
    world.runtime.resources = async () => {
      stop.abort(new Error('enough'));
      throw stop.signal.reason;
    };
    await expect(currentResources(kernel, stop.signal)).rejects.toThrow('enough');
  });

  it('takes down what runs where nothing can be written, and says that the record is left', async () => {
    const world = makeWorld();
    const { kernel, runId } = await upAnd(world);
    const details = { store: 'state', reason: 'read-only' as const };
    const refuse = () =>
      Promise.reject(new ArgusError(storeUnavailable, { message: 'it is read-only', details }));
    const { store } = world;
    const sealed: StateStore = Object.assign(Object.create(store), {
      get: store.get.bind(store),
      list: store.list.bind(store),
      put: refuse,
      delete: refuse,
      formerIds: async () => [],
    });
    const { removed, failed } = await cleanCurrentRun({ ...kernel, store: sealed }, world.signal);
    expect(namesOf(removed)).toEqual(['api', 'db', 'network']);
    expect(failed).toMatchObject([{ resource: { type: 'run', runId }, error: { code: 'CLEANUP_FAILED' } }]);
    expect(world.runtime.size).toBe(0);
    // Whoever works on it may still be able to write.
    await changeRun(store, runId, (run) => ({ ...run, state: 'starting' }));
    await expect(cleanCurrentRun({ ...kernel, store: sealed }, world.signal)).rejects.toMatchObject({
      code: 'SETUP_IN_PROGRESS',
    });
  });

  it('finds nothing where nothing is', async () => {
    const world = makeWorld();
    const kernel = world.open({ services });
    expect(await cleanCurrentRun(kernel, world.signal)).toEqual({ removed: [], failed: [] });
    expect(await currentResources(kernel, world.signal)).toEqual({ removed: [], failed: [] });
  });

  it.each(['worktrees', 'runs'])(
    'is finished by the next when it is cut off before it deletes from %s',
    async (cut) => {
      const world = makeWorld();
      const { kernel } = await upAnd(world);
      let reached: () => void = () => undefined;
      const isCut = new Promise<void>((resolve) => {
        reached = resolve;
      });
      const store: StateStore = Object.assign(Object.create(world.store), {
        get: world.store.get.bind(world.store),
        put: world.store.put.bind(world.store),
        delete(namespace: string, ...rest: [string]) {
          if (namespace !== cut) return world.store.delete(namespace, ...rest);
          reached();
          return new Promise(() => undefined);
        },
      });
      void cleanCurrentRun({ ...kernel, store }, world.signal);
      await isCut;
      const [run] = await runsOf(world.store, 'test');
      // Its process is gone.
      if (run) await abandonRun(world.store, run.id);
      await cleanCurrentRun(kernel, world.signal);
      expect([await world.store.list('runs'), await world.store.list('worktrees')]).toEqual([[], []]);
    },
  );

  it('forgets the run also when a plugin cannot release what it kept for it', async () => {
    const world = makeWorld();
    await upAnd(world);
    const breaking = definePlugin({
      name: 'breaking',
      apply: ({ hooks }) =>
        hooks.afterStop.tapPromise('breaking', () => Promise.reject(new Error('it broke'))),
    });
    const kernel = world.open({ services }, { plugins: [breaking] });
    expect((await cleanCurrentRun(kernel, world.signal)).failed).toEqual([]);
    expect(await runsOf(world.store, 'test')).toEqual([]);
  });

  it('also removes services that are no longer configured', async () => {
    const world = makeWorld();
    await upAnd(world);
    const { removed } = await cleanCurrentRun(world.open({ services: { db: modelService() } }), world.signal);
    expect(namesOf(removed)).toEqual(['db', 'api', 'network']);
  });

  it('is refused while somebody else is at work', async () => {
    const world = makeWorld();
    const kernel = world.open({ services });
    const { run } = await claimRun(kernel);
    await expect(cleanCurrentRun(kernel, world.signal)).rejects.toMatchObject({
      error: { code: 'SETUP_IN_PROGRESS', message: expect.stringContaining('is being started by process') },
    });
    await changeRun(world.store, run.id, (record) => ({ ...record, state: 'stopping' }));
    await expect(cleanCurrentRun(kernel, world.signal)).rejects.toThrow('is being stopped by process');
  });

  it('can be tried again when something could not be removed, also by the same process', async () => {
    const world = makeWorld();
    const { kernel, runId } = await upAnd(world);
    world.runtime.breaks('remove db', new Error('it is busy'));
    const first = await cleanCurrentRun(kernel, world.signal);
    expect(namesOf(first.removed)).toEqual(['api', 'network']);
    expect(first.failed).toMatchObject([{ resource: { name: 'db' }, error: { code: 'CLEANUP_FAILED' } }]);
    expect((await currentRun(kernel))?.id).toBe(runId);
    world.runtime.mends('remove db');
    const second = await cleanCurrentRun(kernel, world.signal);
    expect([namesOf(second.removed), second.failed]).toEqual([['db'], []]);
    expect(await currentRun(kernel)).toBeUndefined();
  });

  it('can be tried again when it was cancelled', async () => {
    const world = makeWorld();
    const { kernel } = await upAnd(world);
    expect((await cleanCurrentRun(kernel, AbortSignal.abort())).failed).toHaveLength(3);
    expect(namesOf((await cleanCurrentRun(kernel, world.signal)).removed)).toHaveLength(3);
  });

  it('says so when a runtime breaks altogether', async () => {
    const world = makeWorld();
    const { kernel } = await upAnd(world);
    world.runtime.breaks('removing', new Error('the engine is gone'));
    const { removed, failed } = await cleanCurrentRun(kernel, world.signal);
    expect(removed).toEqual([]);
    expect(failed.map(({ error }) => error.message)).toEqual(Array(3).fill('the engine is gone'));
  });

  it('takes down what it can when one runtime cannot be asked', async () => {
    const isImage = ({ image }: ServiceSpec) => image !== undefined;
    const world = makeWorld((clock) => [
      new ModelRuntime(clock, { name: 'commands', runs: (one) => !isImage(one) }),
      new ModelRuntime(clock, { name: 'images', runs: isImage }),
    ]);
    const { kernel, runId } = await upAnd(world, { services: { a: modelService(), b: { image: 'x' } } });
    world.runtime.breaks('resources', new Error('no answer'));
    const { removed, failed } = await cleanCurrentRun(kernel, world.signal);
    expect(namesOf(removed)).toEqual(['b', 'network']);
    expect(failed).toMatchObject([
      {
        resource: { type: 'service', name: 'a', service: 'a', runtime: 'commands', runId },
        error: { code: 'CLEANUP_FAILED', message: 'service a: no answer' },
      },
      { resource: { type: 'run' }, error: { message: `run ${runId} on commands: no answer` } },
    ]);
    expect(await readRun(world.store, runId)).toBeDefined();
  });

  it('takes down what a runtime still has of the run when the configuration has nothing for it any more', async () => {
    const world = makeWorld((clock) => [
      new ModelRuntime(clock, { name: 'images', runs: ({ image }) => image !== undefined }),
      new ModelRuntime(clock, { name: 'commands', runs: ({ image }) => image === undefined }),
    ]);
    await upAnd(world, { services: { a: { image: 'x' } } });
    const { kernel, runId } = await upAnd(world, { services: { a: modelService() } });
    expect(await readRun(world.store, runId)).toMatchObject({ runtimes: ['images', 'commands'] });
    expect(
      (await currentResources(kernel, world.signal)).removed.map((one) => `${one.runtime} ${one.name}`),
    ).toEqual([...['commands a', 'images network', 'commands network']]);
    world.runtime.breaks('resources', new Error('no answer'), 2);
    expect((await cleanCurrentRun(kernel, world.signal)).failed).toMatchObject([
      { error: { message: `run ${runId} on images: no answer` } },
    ]);
    expect((await cleanCurrentRun(kernel, world.signal)).failed).toEqual([]);
    expect(world.runtime.size).toBe(0);
  });

  it('says so when the runtime that a service ran on is not loaded any more', async () => {
    const world = makeWorld((clock) => [new ModelRuntime(clock, { name: 'lost' })]);
    const { runId } = await upAnd(world);
    const without = { ...makeWorld().open({ services }), store: world.store };
    const { failed } = await cleanCurrentRun(without, world.signal);
    expect(failed.map(({ error }) => error.message)).toEqual(
      ['service db', 'service api', `run ${runId} on lost`].map(
        (what) => `${what}: no loaded plugin brings this runtime`,
      ),
    );
    expect(await readRun(world.store, runId)).toBeDefined();
  });
});

describe('rolling back', () => {
  it('stops what runs also when the store cannot be written', async () => {
    const world = makeWorld();
    const { kernel, runId } = await upAnd(world);
    const broken: StateStore = Object.assign(Object.create(world.store), {
      get: world.store.get.bind(world.store),
      put: () => Promise.reject(new Error('the disk is full')),
      delete: () => Promise.reject(new Error('the disk is full')),
    });
    const run = await readRun(world.store, runId);
    if (!run) throw new Error('there is no record');
    const { error } = await rollBack(
      { ...kernel, store: broken },
      { run, reused: false },
      [],
      new Error('it broke'),
    );
    expect(error).toMatchObject({
      message: 'it broke',
      details: {
        rollback: {
          removed: ['container db', 'container api', 'network network'],
          failed: [`run ${runId} (its record): the disk is full`],
        },
      },
    });
    expect(world.runtime.size).toBe(0);
  });

  it('keeps the error when even the taking down breaks', async () => {
    const world = makeWorld();
    const { kernel, runId } = await upAnd(world);
    const run = await readRun(world.store, runId);
    if (!run) throw new Error('there is no record');
    const store = Object.assign(Object.create(world.store), {
      get: () => Promise.reject(new Error('unreadable')),
    });
    const broken = { ...kernel, store, runtimes: { ...kernel.runtimes, values: () => null as never } };
    const { error } = await rollBack(broken, { run, reused: false }, [], new Error('it broke'));
    expect(error).toMatchObject({ message: 'it broke', details: { rollback: { removed: [] } } });
    const { failed } = error.details.rollback as { failed: string[] };
    expect(failed.map((one) => one.replace(/:.*/s, ''))).toEqual([
      ...['service db', 'service api', `run ${runId} on model`],
    ]);
  });

  it('names what was and what was not taken down when the engine goes away half-way', async () => {
    const world = makeWorld();
    const kernel = world.open({ services });
    world.runtime.breaks('start api', new Error('the engine is gone'));
    kernel.events.subscribe(({ type }) => {
      if (type === 'service_state') world.runtime.breaks('resources', new Error('no answer'));
    });
    const failure = await world.passing(
      setUp(kernel, { build: true }, world.signal).catch((thrown: ArgusError) => thrown.error),
    );
    expect(failure).toMatchObject({
      message: 'the engine is gone',
      details: {
        rollback: {
          removed: [],
          failed: [
            ...['service db: no answer', 'service api: no answer'],
            expect.stringMatching(/^run \S+ on model: no answer$/),
          ],
        },
      },
    });
    // Nobody can be asked: nothing is begun, and the record says what it said.
    const recorded = await runsOf(world.store, 'test');
    expect((await cleanCurrentRun(kernel, world.signal)).failed).toMatchObject([
      { resource: { name: 'db' }, unlooked: true },
      { resource: { name: 'api' }, unlooked: true },
      { resource: { type: 'run' }, unlooked: true, error: { details: { reason: 'no answer' } } },
    ]);
    expect(await runsOf(world.store, 'test')).toEqual(recorded);
    const again = world.open({ services });
    world.runtime.mends('resources');
    world.runtime.breaks('removing', new Error('it goes away now'));
    expect(await world.passing(cleanCurrentRun(again, world.signal))).toMatchObject({ removed: [] });
    world.runtime.mends('removing');
    expect((await cleanCurrentRun(again, world.signal)).failed).toEqual([]);
  });

  it('begins nothing, and leaves no record, where a runtime cannot be asked and nobody has checked', async () => {
    const world = makeWorld();
    const kernel = world.open({ services });
    world.runtime.breaks('resources', new Error('no answer'));
    await expect(setUp(kernel, { build: true }, world.signal)).rejects.toThrow('no answer');
    expect([world.runtime.calls, await runsOf(world.store, 'test')]).toEqual([[], []]);
  });

  it('names each thing that an engine did not remove any more', async () => {
    const world = makeWorld();
    const kernel = world.open({ services });
    world.runtime.breaks('start api', new Error('the engine is gone'));
    world.runtime.breaks('removing', new Error('no answer'));
    const failure = await world.passing(
      setUp(kernel, { build: true }, world.signal).catch((thrown: ArgusError) => thrown.error),
    );
    expect(failure).toMatchObject({
      details: { rollback: { failed: ['container db: no answer', 'network network: no answer'] } },
    });
  });

  it('does not send anybody to logs that are gone', async () => {
    const world = makeWorld();
    const kernel = world.open({ services });
    world.runtime.behaviours.api = { exits: { code: 1, afterMs: 0 } };
    world.runtime.output.api = ['I cannot go on'];
    const setup = () =>
      world.passing(setUp(kernel, { build: true }, world.signal).catch((thrown: ArgusError) => thrown.error));
    expect(await setup()).toMatchObject({
      code: 'SERVICE_START_FAILED',
      suggestedActions: ['setup'],
      details: { lines: ['I cannot go on'], rollback: { failed: [] } },
    });
    world.runtime.breaks('remove api', new Error('busy'));
    expect(await setup()).toMatchObject({ suggestedActions: ['setup', 'logs'] });
  });
});

describe('cleaning dead runs', () => {
  const short = { services, environment: { lease: '1m' } };

  it('removes what runs left whose lease ran out, in whatever folder, and nothing that lives', async () => {
    const world = makeWorld();
    const dead = await upAnd(world, short, '/dead');
    const { kernel, runId } = await upAnd(world, { services }, '/alive');
    expect((await deadResources(kernel, world.signal)).removed).toEqual([]);
    await world.clock.advance(60_000);
    const found = await deadResources(kernel, world.signal);
    expect(found.removed.map((one) => one.runId)).toEqual(Array(3).fill(dead.runId));
    const { removed, failed } = await cleanDeadRuns(kernel, world.signal);
    expect([namesOf(removed), failed]).toEqual([['api', 'db', 'network'], []]);
    expect((await runsOf(world.store, 'test')).map(({ id }) => id)).toEqual([runId]);
    expect(await world.store.list('worktrees')).toHaveLength(1);
    expect(world.runtime.size).toBe(3);
  });

  it('removes what nobody has a record of', async () => {
    const world = makeWorld();
    const { kernel, runId } = await upAnd(world);
    await world.store.delete('runs', runId);
    world.runtime.breaks('remove db', new Error('it is busy'));
    const { removed, failed } = await cleanDeadRuns(kernel, world.signal);
    expect([namesOf(removed), failed.map(({ resource }) => resource.name)]).toEqual([
      ['api', 'network'],
      ['db'],
    ]);
  });

  it('tells once what could not be removed', async () => {
    const world = makeWorld();
    const { kernel } = await upAnd(world, short);
    await world.clock.advance(60_000);
    world.runtime.breaks('remove db', new Error('it is busy'));
    expect((await cleanDeadRuns(kernel, world.signal)).failed).toHaveLength(1);
  });

  it('leaves alone what another store made', async () => {
    const world = makeWorld();
    await upAnd(world, short);
    const other = { ...world.open({ services }), store: makeWorld().store };
    expect((await deadResources(other, world.signal)).removed).toEqual([]);
  });

  it('needs a runtime that a run has used, and says what is left there when it cannot be asked', async () => {
    const world = makeWorld((clock) => [
      new ModelRuntime(clock, { name: 'engine', runs: ({ image }) => image !== undefined }),
      new ModelRuntime(clock, { name: 'commands', runs: ({ image }) => image === undefined }),
    ]);
    const lease = { environment: { lease: '1m' } };
    await upAnd(world, { services: { a: { image: 'x' } }, ...lease }, '/dead');
    await world.clock.advance(60_000);
    const kernel = world.open({ services });
    world.runtime.breaks('resources', new Error('the engine is not there'));
    expect(await deadResources(kernel, world.signal)).toMatchObject({
      removed: [],
      failed: [{ unlooked: true, error: { details: { reason: 'the engine is not there' } } }],
    });
    const { failed } = await cleanDeadRuns(kernel, world.signal);
    expect(failed.map(({ resource: { type, name } }) => `${type} ${name}`)).toEqual([
      'service a',
      expect.stringMatching(/^run .* on engine$/),
    ]);
  });

  it('does not ask a runtime that no service needs', async () => {
    const world = makeWorld((clock) => [
      new ModelRuntime(clock, { name: 'engine', runs: ({ image }) => image !== undefined }),
      new ModelRuntime(clock, { name: 'commands', runs: ({ image }) => image === undefined }),
    ]);
    let asked = 0;
    const { resources } = world.runtime;
    world.runtime.resources = (...query) => {
      asked += 1;
      return resources.apply(world.runtime, query);
    };
    world.runtime.breaks('resources', new Error('the engine is not there'));
    expect(await cleanDeadRuns(world.open({ services }), world.signal)).toEqual({ removed: [], failed: [] });
    expect(asked).toBe(0);
    const needy = world.open({ services: { a: { image: 'x' } } });
    expect((await cleanDeadRuns(needy, world.signal)).failed).toMatchObject([
      { unlooked: true, error: { details: { reason: 'the engine is not there' } } },
    ]);
  });
});
