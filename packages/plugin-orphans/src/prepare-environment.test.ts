import type { Json, Plugin } from '@argusai/core';
import { describe, expect, it } from 'vitest';
import { leave, leaveAll, recordOf, rig } from './fixtures/rig.js';
import type { OrphanCleanupResult } from './prepare-environment.js';

async function prepare({ kernel }: ReturnType<typeof rig>, signal = new AbortController().signal) {
  const parts = new Map<string, Json>();
  const { project, events, clock } = kernel;
  const report = (part: string, value: Json) => void parts.set(part, value);
  await kernel.hooks.prepareEnvironment.promise({ project, events, clock, signal, report });
  return parts.get('orphanCleanup') as unknown as OrphanCleanupResult;
}

describe('the preparing stage of a setup', () => {
  it('removes what dead runs left, and reports it', async () => {
    const world = rig();
    const { container } = leaveAll(world);
    const result = await prepare(world);
    expect(result.found.map(({ type, why }) => [type, why])).toEqual(
      ['container', 'network', 'volume', 'process'].map((type) => [type, 'there is no record of its run']),
    );
    expect(result.removed.map(({ type }) => type)).toEqual(['container', 'network', 'volume', 'process']);
    expect(result.removed[0]).toMatchObject({ id: container, project: 'test', runId: 'r1', service: 'api' });
    expect(result).toMatchObject({
      failed: [],
      kept: [],
      foreign: [],
      unknown: [],
      duration: expect.any(Number),
    });
    expect(world.docker.things.size + world.processes.things.size).toBe(0);
  });

  it('reports that there was nothing', async () => {
    const world = rig();
    expect(await prepare(world)).toMatchObject({ found: [], removed: [], failed: [] });
    expect(world.events.map(({ type }) => type)).toEqual(['cleanup_start', 'cleanup_end']);
  });

  it('only says what it found when it shall not clean', async () => {
    const world = rig({ config: { resilience: { preflight: { cleanOrphans: false } } } });
    leaveAll(world);
    const result = await prepare(world);
    expect(result.found).toHaveLength(4);
    expect(result).toMatchObject({ removed: [], failed: [] });
    expect(world.docker.things.size + world.processes.things.size).toBe(4);
    expect(world.events).toEqual([]);
  });

  it('reports what could not be removed, and does not fail', async () => {
    const world = rig();
    const { volume } = leaveAll(world);
    world.docker.stuck.set(volume, 'volume is in use');
    const { failed, removed } = await prepare(world);
    expect(removed).toHaveLength(3);
    expect(failed).toMatchObject([
      { type: 'volume', id: volume, error: 'argus-test-r1-volume: volume is in use' },
    ]);
  });

  it('goes on when a runtime cannot be asked, and says so', async () => {
    const world = rig();
    leaveAll(world);
    world.docker.mood = 'down';
    const result = await prepare(world);
    expect(result.unknown).toEqual([{ runtime: 'docker', reason: 'docker is down' }]);
    expect(result.removed.map(({ type }) => type)).toEqual(['process']);
  });

  it('shows what another store made and leaves it alone, however old it is', async () => {
    const world = rig();
    const id = leave(world.docker, 'container', recordOf('r1', { store: 'theirs', createdAt: 0 }));
    const result = await prepare(world);
    expect(result).toMatchObject({ found: [], removed: [], foreign: [{ id }] });
    expect(world.docker.things.size).toBe(1);
  });

  it('keeps what the configuration excludes', async () => {
    const world = rig({ config: { policy: { exclude: ['volume:*'] } } });
    leaveAll(world);
    const { kept } = await prepare(world);
    expect(kept).toMatchObject([{ type: 'volume', reason: 'excluded: it matches volume:*' }]);
    expect(world.docker.things.size).toBe(1);
  });

  it.each([
    ['has a veto against', () => 'not today', 'veto: not today'],
    [
      'breaks over',
      () => {
        throw new Error('what?');
      },
      'veto: a plugin broke when it was asked: what?',
    ],
  ])('keeps what a plugin %s', async (_, answer, reason) => {
    const careful: Plugin = {
      name: 'careful',
      apply({ hooks }) {
        hooks.beforeRecover.tap('careful', ({ target }) =>
          target.startsWith('process:') ? answer() : undefined,
        );
      },
    };
    const world = rig({ plugins: [careful] });
    leaveAll(world);
    const { kept } = await prepare(world);
    expect(kept).toMatchObject([{ type: 'process', reason }]);
    expect(world.processes.things.size).toBe(1);
  });

  it('stops when it is told to', async () => {
    const world = rig();
    leaveAll(world);
    const stop = new AbortController();
    world.docker.beforeRemoval = () => stop.abort();
    await expect(prepare(world, stop.signal)).rejects.toThrow('aborted');
    await expect(prepare(world, stop.signal)).rejects.toThrow('aborted');
    expect(world.processes.things.size).toBe(1);
  });
});
