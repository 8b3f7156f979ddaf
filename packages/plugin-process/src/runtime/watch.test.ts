import type { RuntimeEvent } from '@argusai/core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { forever, node, service } from '../fixtures/service.js';
import { makeWorld, until, type World } from '../fixtures/world.js';

describe('watching processes', () => {
  it('tells of starts, ends with their codes, and removals from the moment it was begun', async () => {
    const world = await makeWorld();
    await world.start(service('old', { command: ['true'] }));
    await world.ended('old');
    const { events, stop } = watch(world);
    const api = service('api', { command: node('process.exit(4)') });
    await world.start(api);
    await until(() => events.length === 2);
    await world.start(api);
    await until(() => events.length === 4);
    await world.remove();
    await until(() => events.length >= 6);
    await stop();
    expect(
      events.map(({ service: name, type, exitCode }) => [name, type, exitCode].join(' ').trim()),
    ).toEqual([
      'api started',
      'api exited 4',
      'api started',
      'api exited 4',
      ...['api removed', 'old removed'].sort((a) => (a.startsWith(events[4]?.service ?? '') ? -1 : 1)),
    ]);
    for (const { at } of events) expect(at).toBeGreaterThan(0);
  });

  it('notices the end of a process whose keeper is gone', async () => {
    const world = await makeWorld();
    await world.start(service('api', { command: node(forever) }));
    const { events, stop } = watch(world);
    // What had ended before the watch began to look is none of its business.
    await world.start(service('first', { command: ['true'] }));
    await until(() => events.length === 2);
    const { keeper, child } = world.stateOf('api');
    process.kill(keeper.pid, 'SIGKILL');
    await until(async () => (await world.inspect('api')).details?.kept === false);
    process.kill(child?.pid ?? 0, 'SIGKILL');
    await until(() => events.length === 3);
    await stop();
    expect(events.at(-1)).toEqual({ service: 'api', type: 'exited', at: expect.any(Number) });
    expect(await world.inspect('api')).toMatchObject({ status: 'exited' });
    expect(await world.inspect('api')).not.toHaveProperty('exitCode');
  });

  it.runIf(process.platform === 'linux')('notices that a process is stopped, and goes on', async () => {
    const world = await makeWorld();
    await world.start(service('api', { command: node(forever) }));
    const { events, stop } = watch(world);
    await world.runtime.disturb?.(world.run, 'api', 'pause', world.signal);
    await until(() => events.length === 1);
    await world.runtime.disturb?.(world.run, 'api', 'resume', world.signal);
    await until(() => events.length === 2);
    await stop();
    expect(events.map(({ type }) => type)).toEqual(['paused', 'resumed']);
  });

  it.runIf(process.platform === 'linux')('tells of one that was stopped before anyone watched', async () => {
    const world = await makeWorld();
    await world.start(service('api', { command: node(forever) }));
    await world.runtime.disturb?.(world.run, 'api', 'pause', world.signal);
    await until(async () => (await world.inspect('api')).paused === true);
    const { events, stop } = watch(world);
    await until(() => events.length === 1);
    await stop();
    expect(events.map(({ type }) => type)).toEqual(['paused']);
  });

  it('tells of what happens from its beginning on, however late its first look comes', async () => {
    const world = await makeWorld();
    const list = world.records.list.bind(world.records);
    let isLate = true;
    world.records.list = async (query) => {
      await until(() => !isLate);
      return list(query);
    };
    const { events, stop } = watch(world);
    await world.start(service('first', { command: ['true'] }));
    await until(() => world.stateOf('first').phase === 'exited');
    isLate = false;
    await until(() => events.length === 2);
    await stop();
    expect(events.map(({ type }) => type)).toEqual(['started', 'exited']);
  });

  it('sees what happens between its beginning and the first question', async () => {
    const world = await makeWorld();
    const controller = new AbortController();
    const iterable = world.runtime.watch(world.run, controller.signal);
    await world.start(service('api', { command: ['true'] }));
    for await (const event of iterable) {
      expect(event).toMatchObject({ service: 'api', type: 'started' });
      break;
    }
    controller.abort();
  });
});

function watch({ runtime, run }: World) {
  const controller = new AbortController();
  const events: RuntimeEvent[] = [];
  const done = (async () => {
    for await (const event of runtime.watch(run, controller.signal)) events.push(event);
  })();
  const stop = async () => {
    controller.abort();
    await done;
  };
  onTestFinished(stop);
  return { events, stop };
}
