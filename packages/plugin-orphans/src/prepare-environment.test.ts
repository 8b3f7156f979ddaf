import type { Json, Plugin } from '@argusai/core';
import { createSimulatedClock } from '@argusai/core/testing';
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

  it.each([
    ['its kind', 'volume:*', 'volume', /^excluded: volume:\S+ matches volume:\*$/],
    ['its service', 'service:worker', 'process', /^excluded: service:worker matches service:worker$/],
  ])('keeps what the configuration excludes by %s', async (_, pattern, type, reason) => {
    const world = rig({ config: { policy: { exclude: [pattern] } } });
    leaveAll(world);
    const { kept } = await prepare(world);
    expect(kept).toMatchObject([{ type, reason: expect.stringMatching(reason) }]);
    expect(world.docker.things.size + world.processes.things.size).toBe(1);
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

  it('does not wait for a plugin that never agrees, and touches nothing then', async () => {
    const silent: Plugin = {
      name: 'silent',
      apply({ hooks }) {
        hooks.beforeRecover.tapPromise('silent', () => new Promise(() => undefined));
      },
    };
    const clock = createSimulatedClock();
    const world = rig({ plugins: [silent], clock });
    leaveAll(world);
    const prepared = prepare(world);
    await clock.advance(10_000);
    const reason = 'veto: a plugin broke when it was asked: a plugin gave no answer within 10000 ms';
    expect((await prepared).kept.map((kept) => kept.reason)).toEqual([reason, reason, reason, reason]);
    const stop = new AbortController();
    const stopped = expect(prepare(world, stop.signal)).rejects.toThrow('aborted');
    stop.abort();
    await stopped;
    expect(world.docker.things.size + world.processes.things.size).toBe(4);
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
