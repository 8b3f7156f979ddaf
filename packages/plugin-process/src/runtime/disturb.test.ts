import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
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
    expect(await world.inspect('api')).toMatchObject({ status: 'running', paused: true });
    await disturb('resume');
    await until(() => systemState(pid) !== 'T');
    expect(await world.inspect('api')).not.toHaveProperty('paused');
  });

  it.runIf(process.platform === 'linux')('does not keep it from stopping politely', async () => {
    const world = await makeWorld();
    const ready = join(world.dir, 'ready');
    const heeds = `process.on('SIGTERM', () => process.exit(5));`;
    const says = `require('node:fs').writeFileSync(${JSON.stringify(ready)}, '');`;
    await world.start(service('api', { command: node(`${heeds} ${says} ${forever}`) }));
    await until(() => existsSync(ready));
    await world.runtime.disturb?.(world.run, 'api', 'pause', world.signal);
    await until(async () => (await world.inspect('api')).paused === true);
    await world.runtime.stop(world.run, ['api'], { graceMs: 30_000, signal: world.signal });
    expect(await world.inspect('api')).toMatchObject({ status: 'exited', exitCode: 5 });
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
