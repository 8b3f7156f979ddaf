import { describe, expect, it } from 'vitest';
import type { Kernel } from '../../kernel/kernel.js';
import { createMemoryStore } from '../../state/memory-store.js';
import { makeWorld, modelService, type World } from '../fixtures/environment-kernel.js';
import { ModelRuntime } from '../fixtures/model-runtime.js';
import { setUp } from '../setup/set-up.js';
import { statusOf } from '../status/status-of.js';
import { cleanCurrentRun, currentResources } from './clean-up.js';
import { cleanDeadRuns } from './dead-runs.js';

const services = { db: modelService({ image: 'db' }), api: modelService({ dependsOn: ['db'] }) };
const namesOf = (resources: readonly { name: string }[]) => resources.map(({ name }) => name);

/** Sets up two folders, and loses the store: what is given back is opened with the new one. */
async function lose(world: World, isKnown = true) {
  const kernels = ['/project', '/other'].map((dir) => world.open({ services }, { dir }));
  const runs: string[] = [];
  for (const kernel of kernels) {
    const { runId } = await world.passing(setUp(kernel, { build: true }, world.signal));
    runs.push(runId);
  }
  const formerIds = isKnown ? [await world.store.id()] : [];
  const store = createMemoryStore({ clock: world.clock, formerIds });
  const [here, there] = kernels.map((kernel): Kernel => ({ ...kernel, store }));
  if (!here || !there) throw new Error('There are two');
  const status = (kernel = here) => world.passing(statusOf(kernel, 'here', world.signal));
  return { here, there, runId: runs[0], status };
}

describe('a run whose record was lost with the store', () => {
  it('is shown by status, with what its runtime can still tell', async () => {
    const world = makeWorld();
    const { status, runId } = await lose(world);
    world.runtime.crash('db');
    const { run, services: shown, lost } = await status();
    expect(run).toBeNull();
    expect(shown).toMatchObject([
      { name: 'db', status: 'exited', health: 'unknown' },
      {
        name: 'api',
        status: 'running',
        health: 'unknown',
        message: `the record of its run ${runId} was lost`,
      },
    ]);
    expect(lost.resources.map((one) => [one.name, one.runId])).toEqual(
      ['api', 'db', 'network'].map((name) => [name, runId]),
    );
  });

  it('is taken down by clean in its own folder, and nothing of another folder', async () => {
    const world = makeWorld();
    const { here, there } = await lose(world);
    expect(namesOf((await currentResources(here, world.signal)).removed)).toEqual(['api', 'db', 'network']);
    const { removed, failed } = await cleanCurrentRun(here, world.signal);
    expect([namesOf(removed), failed]).toEqual([['api', 'db', 'network'], []]);
    expect(namesOf((await currentResources(here, world.signal)).removed)).toEqual([]);
    expect(namesOf((await currentResources(there, world.signal)).removed)).toEqual(['api', 'db', 'network']);
  });

  it('is no orphan, and stays beside the next setup until somebody cleans', async () => {
    const world = makeWorld();
    const { here, status, runId } = await lose(world);
    expect(await world.passing(cleanDeadRuns(here, world.signal))).toEqual({ removed: [], failed: [] });
    const next = await world.passing(setUp(here, { build: true }, world.signal));
    const { run, lost, services: shown } = await status();
    expect(run?.id).toBe(next.runId);
    expect(shown.map((one) => one.status)).toEqual(['running', 'running']);
    expect(new Set(lost.resources.map((one) => one.runId))).toEqual(new Set([runId]));
    const { removed } = await cleanCurrentRun(here, world.signal);
    expect(new Set(removed.map((one) => one.runId))).toEqual(new Set([next.runId, runId]));
    expect((await status()).lost.resources).toEqual([]);
  });

  it('is unknown where the runtime cannot be asked', async () => {
    const world = makeWorld();
    const { here, status } = await lose(world);
    world.runtime.breaks('resources', new Error('it is down'));
    const { services: shown, lost } = await status();
    expect(lost).toMatchObject({
      resources: [],
      unlooked: [{ runtime: 'model', error: { message: 'it is down' } }],
    });
    expect(shown).toMatchObject([
      { status: 'unknown', health: 'unknown', message: 'could not be looked at: it is down' },
      { status: 'unknown' },
    ]);
    for (const work of [currentResources, cleanCurrentRun]) {
      const { failed } = await work(here, world.signal);
      expect(failed).toMatchObject([
        { resource: { type: 'run', runtime: 'model' }, error: { code: 'CLEANUP_FAILED' } },
      ]);
    }
  });

  it('is another’s where no store is known to have been lost, and nobody is asked', async () => {
    const engine = { name: 'engine', runs: ({ image }: { image?: string }) => image !== undefined };
    const world = makeWorld((clock) => [new ModelRuntime(clock, engine), new ModelRuntime(clock)]);
    const { here, status } = await lose(world, false);
    world.runtime.breaks('resources', new Error('it is down'));
    expect((await status()).lost).toEqual({ resources: [], unlooked: [] });
    expect(await cleanCurrentRun(here, world.signal)).toEqual({ removed: [], failed: [] });
  });
});
