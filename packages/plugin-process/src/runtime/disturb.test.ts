import { readFileSync } from 'node:fs';
import type { Disturbance } from '@argusai/core';
import { describe, expect, it } from 'vitest';
import { forever, node, service } from '../fixtures/service.js';
import { makeWorld, until } from '../fixtures/world.js';

/** How the system says that a process is: S sleeps, T is stopped. */
const systemState = (pid: number) => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.[0];

describe('harming a process', () => {
  it('kills it, which looks like a crash and not like a stop', async () => {
    const world = await makeWorld();
    await world.start(service('api', { command: node(forever) }));
    await world.runtime.disturb?.(world.run, 'api', 'kill', world.signal);
    await world.ended('api');
    expect(await world.inspect('api')).toMatchObject({ status: 'exited', exitCode: 137 });
    const [end] = world.stateOf('api').events.filter(({ type }) => type === 'exited');
    expect(end?.requested).not.toBe(true);
  });

  it.runIf(process.platform === 'linux')('has it hang until it may go on', async () => {
    const world = await makeWorld();
    await world.start(service('api', { command: node(forever) }));
    const pid = world.stateOf('api').child?.pid ?? 0;
    const disturb = (how: Disturbance) => world.runtime.disturb?.(world.run, 'api', how, world.signal);
    await disturb('pause');
    await until(() => systemState(pid) === 'T');
    await disturb('resume');
    await until(() => systemState(pid) !== 'T');
  });

  it('does nothing to what has ended, or was never there', async () => {
    const world = await makeWorld();
    await world.start(service('api', { command: node('process.exit(3)') }));
    await world.ended('api');
    await world.runtime.disturb?.(world.run, 'api', 'kill', world.signal);
    await world.runtime.disturb?.(world.run, 'other', 'kill', world.signal);
    expect(await world.inspect('api')).toMatchObject({ exitCode: 3 });
  });
});
