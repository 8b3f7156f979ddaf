import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../time/clock.js';
import { makeWorld, modelService } from '../fixtures/environment-kernel.js';
import { ownIdentity, processStart } from '../processes/process-identity.js';
import { descendantsOf } from '../processes/process-tree.js';
import { cleanCurrentRun } from '../removal/clean-up.js';
import type { RunCommand } from '../runs/run-record.js';
import { changeRun, readRun } from '../runs/runs.js';
import { setUp } from '../setup/set-up.js';
import { endLeftCommands } from './end-left-commands.js';
import { noteCommand } from './note-command.js';

/** A command that runs until it is told to end. */
async function command(script: string): Promise<number> {
  const text = `${script}; setInterval(() => {}, 1000); console.log('ready')`;
  const child = spawn(process.execPath, ['-e', text], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  return child.pid ?? 0;
}

/** A run of the model with a command that its record knows. */
async function runWithCommand(script = '') {
  const world = makeWorld();
  const model = world.open({ services: { api: modelService() } });
  const { runId } = await world.passing(setUp(model, { build: false }, world.signal));
  // Real processes take real time to end.
  const kernel = { ...model, clock: { ...systemClock, now: () => world.clock.now() } };
  const pid = await command(script);
  const strike = await noteCommand(kernel, runId, 'smoke', pid);
  const gone = { ...(await ownIdentity()), startedAt: 'long ago' };
  return {
    world,
    kernel,
    runId,
    pid,
    strike,
    gone,
    lives: async () => (await processStart(pid)) !== undefined,
    change: (change: (one: RunCommand) => RunCommand) =>
      changeRun(world.store, runId, (run) => ({ ...run, commands: (run.commands ?? []).map(change) })),
    commands: async () => (await readRun(world.store, runId))?.commands,
  };
}

describe('tests of an argus that was killed', () => {
  it.each(['clean', 'setup'] as const)('are ended by the next %s, which says so', async (next) => {
    const { world, kernel, pid, gone, change, lives } = await runWithCommand();
    await change((one) => ({ ...one, by: gone }));
    const work =
      next === 'clean'
        ? cleanCurrentRun(kernel, world.signal)
        : setUp(kernel, { build: false }, world.signal);
    await world.passing<unknown>(work);
    expect(await lives()).toBe(false);
    expect(world.events).toContainEqual(
      expect.objectContaining({
        type: 'cleanup_resource',
        data: expect.objectContaining({
          type: 'command',
          name: 'smoke',
          action: 'removed',
          message: expect.stringContaining(`process ${pid}`),
        }),
      }),
    );
  });

  it('are left alone while that argus may live', async () => {
    const { world, kernel, change, lives } = await runWithCommand();
    await world.passing(setUp(kernel, { build: false }, world.signal));
    await change((one) => ({ ...one, by: { ...one.by, host: 'elsewhere', startedAt: 'long ago' } }));
    await world.passing(cleanCurrentRun(kernel, world.signal));
    expect(await lives()).toBe(true);
  });

  it('are left alone when the number is another process by now', async () => {
    const { world, kernel, change, gone, lives } = await runWithCommand();
    await change((one) => ({ ...one, by: gone, startedAt: 'another time' }));
    await world.passing(cleanCurrentRun(kernel, world.signal));
    expect(await lives()).toBe(true);
  });

  it('are left alone when they are the ones who ask for it', async () => {
    const { kernel, gone, pid, change, commands, lives } = await runWithCommand(
      `require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])`,
    );
    const [child = 0] = await descendantsOf(pid);
    onTestFinished(() => void process.kill(child, 'SIGKILL'));
    await change((one) => ({ ...one, by: gone }));
    await endLeftCommands(kernel, { commands: (await commands()) ?? [] }, { self: child });
    expect(await lives()).toBe(true);
  });

  it('are struck off when they have ended', async () => {
    const { strike, commands, pid } = await runWithCommand();
    expect(await commands()).toMatchObject([{ suite: 'smoke', pid }]);
    await strike();
    expect(await commands()).toEqual([]);
  });
});
