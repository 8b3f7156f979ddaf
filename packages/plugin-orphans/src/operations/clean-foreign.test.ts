import { runOperation } from '@argusai/core';
import { describe, expect, it } from 'vitest';
import { leave, recordOf, rig } from '../fixtures/rig.js';

const signal = new AbortController().signal;
const theirs = recordOf('r1', { store: 'theirs', createdAt: Date.now() - 90_000_000 });
const young = recordOf('r2', { store: 'theirs' });

async function clean({ kernel }: ReturnType<typeof rig>, names: string[], dryRun = false) {
  const operation = kernel.operations.get('clean-foreign');
  if (!operation) throw new Error('There is no clean-foreign');
  const envelope = await runOperation(kernel, operation, { names, dryRun }, signal);
  if (!envelope.ok) throw new Error(envelope.error.message);
  return envelope.data as {
    removed: { id: string }[];
    failed: { error: string }[];
    refused: { name: string; reason: string }[];
  };
}

describe('clean-foreign', () => {
  it('removes what another store made long ago, by name, target or id, and nothing beside it', async () => {
    const world = rig();
    const container = leave(world.docker, 'container', theirs);
    const network = leave(world.docker, 'network', theirs);
    const process = leave(world.processes, 'process', theirs, { name: 'api' });
    leave(world.docker, 'volume', theirs);
    const result = await clean(world, [
      'argus-test-r1-container',
      'network:argus-test-r1-network',
      network,
      `process:${process}`,
    ]);
    expect(result.removed.map(({ id }) => id)).toEqual([container, network, process]);
    expect(result).toMatchObject({ failed: [], refused: [] });
    expect([...world.docker.things.values()].map(({ type }) => type)).toEqual(['volume']);
  });

  it('only says what it would remove when it is asked to', async () => {
    const world = rig();
    const id = leave(world.docker, 'container', theirs);
    expect((await clean(world, [id], true)).removed).toMatchObject([{ id }]);
    expect(world.docker.things.size).toBe(1);
    const { effectsOf } = world.kernel.operations.get('clean-foreign') ?? {};
    expect(effectsOf?.({ names: [id], dryRun: true })).toMatchObject({ readOnly: true, destructive: false });
    expect(effectsOf?.({ names: [id] })).toEqual({});
  });

  it('refuses what is young, ours, not there, or one of several', async () => {
    const world = rig();
    const [fresh, own] = [
      leave(world.docker, 'container', young),
      leave(world.docker, 'container', recordOf('r3')),
    ];
    for (const run of [theirs, { ...theirs, id: 'r4' }])
      leave(world.processes, 'process', run, { name: 'api' });
    world.docker.things.set('stray', { type: 'container', id: 'stray', name: 'stray', labels: {} });

    const { refused, removed } = await clean(world, [fresh, own, 'stray', 'api']);

    const unknown = 'another store made nothing of this project that is called so';
    expect(removed).toEqual([]);
    expect(refused).toEqual([
      { name: fresh, reason: 'it is not older than 1d' },
      { name: own, reason: unknown },
      { name: 'stray', reason: unknown },
      { name: 'api', reason: 'there are 2 that are called so; give its type and id' },
    ]);
    expect(world.docker.things.size + world.processes.things.size).toBe(5);
  });

  it('does not ask a runtime that no service of the project uses, and says so', async () => {
    const world = rig({ config: { services: { api: { command: 'serve' } } } });
    world.docker.mood = 'down';
    const { refused } = await clean(world, ['worker']);
    expect(refused[0]?.reason).toContain('; docker was not asked: no service of this project uses it');
    expect(world.docker.calls).toEqual([]);
  });

  it('removes by name what a former store of this place made, however young', async () => {
    const world = rig({ formerStores: ['before'] });
    const id = leave(world.docker, 'container', recordOf('r5', { store: 'before' }));
    expect((await clean(world, [id])).removed).toMatchObject([{ id }]);
  });

  it('takes the age from the option', async () => {
    const world = rig({ options: { maxAge: '10s' } });
    const id = leave(world.docker, 'container', young);
    expect((await clean(world, [id])).removed).toMatchObject([{ id }]);
  });

  it('reports what cannot be removed and which runtime could not be asked', async () => {
    const world = rig();
    const id = leave(world.docker, 'container', theirs);
    world.docker.stuck.set(id, 'device is busy');
    world.processes.mood = 'down';
    const { failed, refused } = await clean(world, [id, 'worker']);
    expect(failed).toMatchObject([{ error: 'argus-test-r1-container: device is busy' }]);
    expect(refused[0]?.reason).toContain('process could not be asked: process is down');
  });
});
