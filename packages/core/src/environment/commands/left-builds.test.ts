import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Json, JsonObject } from '../../model/json.js';
import { systemClock } from '../../time/clock.js';
import { makeWorld, modelService } from '../fixtures/environment-kernel.js';
import { ownIdentity, processStart } from '../processes/process-identity.js';
import { setUp } from '../setup/set-up.js';
import { endLeftBuilds, noteBuild } from './left-builds.js';

/** A process that builds until it is told to end, and is noted. */
async function buildUnderWay() {
  const child = spawn(process.execPath, ['-e', `setInterval(() => {}, 1000); console.log('ready')`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  const pid = child.pid ?? 0;
  const world = makeWorld();
  const model = world.open({ services: { api: modelService() } });
  // Real processes take real time to end.
  const kernel = { ...model, clock: { ...systemClock, now: () => world.clock.now() } };
  const strikeOff = await noteBuild(kernel, 'api', pid);
  const notes = () => world.store.list('builds');
  return {
    world,
    kernel,
    pid,
    strikeOff,
    notes,
    gone: { ...(await ownIdentity()), startedAt: 'long ago' },
    lives: async () => (await processStart(pid)) !== undefined,
    async change(rest: JsonObject) {
      for (const { key, value } of await notes())
        await world.store.put('builds', key, { ...(value as JsonObject), ...rest } as Json);
    },
  };
}

describe('a build of an argus that was killed', () => {
  it('is ended by the next setup, which says so', async () => {
    const { world, kernel, pid, gone, change, lives, notes } = await buildUnderWay();
    await change({ by: { ...gone } });
    await world.passing(setUp(kernel, { build: false }, world.signal));
    expect(await lives()).toBe(false);
    expect(await notes()).toEqual([]);
    const message = `a build of a killed argus, process ${pid}`;
    expect(world.events).toContainEqual(
      expect.objectContaining({
        type: 'cleanup_resource',
        data: { type: 'command', name: 'api', action: 'removed', message },
      }),
    );
  });

  it('is left alone while that argus may live, and when it is of another project', async () => {
    const { kernel, gone, change, lives, notes } = await buildUnderWay();
    await endLeftBuilds(kernel);
    await change({ by: { ...gone, host: 'elsewhere' } });
    await endLeftBuilds(kernel);
    await change({ by: { ...gone }, project: 'another' });
    await endLeftBuilds(kernel);
    expect(await lives()).toBe(true);
    expect(await notes()).toHaveLength(1);
  });

  it('is left alone when the number is another process by now, and forgotten', async () => {
    const { kernel, gone, change, lives, notes } = await buildUnderWay();
    await change({ by: { ...gone }, startedAt: 'another time' });
    await endLeftBuilds(kernel);
    expect(await lives()).toBe(true);
    expect(await notes()).toEqual([]);
  });

  it('is struck off when it has ended', async () => {
    const { strikeOff, notes, pid } = await buildUnderWay();
    expect((await notes()).map(({ value }) => value)).toMatchObject([
      { pid, service: 'api', project: 'test' },
    ]);
    await strikeOff();
    expect(await notes()).toEqual([]);
  });
});
