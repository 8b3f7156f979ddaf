import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { hostname } from 'node:os';
import {
  applyRecovery,
  endLeftCommand,
  ownerLookup,
  ownIdentity,
  planRecovery,
  processStart,
  type RunCommand,
  readRun,
  runChecks,
} from '@argusai/core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { leave, recordOf, remember, rig } from './fixtures/rig.js';
import { endLeft, findLeftCommands, isLeftCommand } from './left-command.js';
import type { OrphanParts } from './orphan-parts.js';

const signal = new AbortController().signal;
const gone = { host: hostname(), pid: 2 ** 22 + 1, startedAt: 'long ago' };

/** A command that runs, as an argus that was killed has noted it. */
async function leftCommand(): Promise<RunCommand> {
  const child = spawn(process.execPath, ['-e', 'console.log(1); setInterval(() => {}, 1000)']);
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  const pid = child.pid ?? 0;
  const startedAt = (await processStart(pid)) ?? '';
  return { host: hostname(), pid, startedAt, suite: 'smoke', words: 'npx vitest', since: 1_000, by: gone };
}

const isThere = async ({ pid }: RunCommand) => (await processStart(pid)) !== undefined;

async function apply({ kernel }: ReturnType<typeof rig>) {
  const { hash } = await planRecovery(kernel);
  return applyRecovery(kernel, hash ?? '', { mode: 'approved', dryRun: false, signal });
}

describe('a command that a killed argus has left', () => {
  it('is found, also while the run that it was run with goes on, and that run stays', async () => {
    const world = rig();
    const command = await leftCommand();
    await remember(world.store, recordOf('r1', { commands: [command] }));
    const { checks } = await runChecks(world.kernel, { only: ['orphans.processes'] });
    expect(checks).toMatchObject([
      {
        status: 'warn',
        target: `process:r1/${command.pid}`,
        message: expect.stringContaining(`the argus that ran it, process ${gone.pid}, was killed`),
        details: { type: 'process', name: 'npx vitest', pid: command.pid, runId: 'r1', service: 'smoke' },
      },
    ]);
    const { steps } = await apply(world);
    expect(steps).toMatchObject([
      { target: `process:r1/${command.pid}`, outcome: 'applied', verdict: 'recovered' },
    ]);
    expect(await isThere(command)).toBe(false);
    expect(await readRun(world.store, 'r1')).toBeDefined();
  });

  it('is not ended with other things of its run, and is found afterwards all the same', async () => {
    const command = await leftCommand();
    const world = rig({ config: { policy: { exclude: [`process:r1/${command.pid}`] } } });
    const run = await remember(world.store, recordOf('r1', { leaseUntil: 0, commands: [command] }));
    leave(world.docker, 'container', run);
    const { steps } = await apply(world);
    expect(steps.map(({ target, outcome }) => [target, outcome])).toEqual([
      [`process:r1/${command.pid}`, 'refused'],
      ['container:argus-test-r1-container', 'applied'],
    ]);
    expect(world.docker.things.size).toBe(0);
    expect(await isThere(command)).toBe(true);
    const { checks } = await runChecks(world.kernel, { only: ['orphans.processes'] });
    expect(checks).toMatchObject([{ status: 'warn', target: `process:r1/${command.pid}` }]);
  });

  it('is nothing while its argus may live, or when it is another process by now', async () => {
    const world = rig();
    const command = await leftCommand();
    const commands = [
      { ...command, by: { ...gone, host: 'elsewhere' } },
      { ...command, startedAt: 'another time' },
    ];
    await remember(world.store, recordOf('r1', { commands }));
    const { checks } = await runChecks(world.kernel, { only: ['orphans.processes'] });
    expect(checks).toMatchObject([{ status: 'pass', message: 'nothing left behind' }]);
  });

  it('is not told as removed when nobody could look, nor ended', async () => {
    const { kernel, store } = rig();
    const parts: OrphanParts = {
      ...kernel,
      store,
      owner: ownIdentity,
      needed: async () => [],
      lookUp: ownerLookup(hostname()),
      maxAgeMs: 1,
      setupCleans: false,
      stopTimeoutMs: 1,
    };
    const command = await leftCommand();
    await remember(store, recordOf('r1', { commands: [command] }));
    const [found] = (await findLeftCommands(parts)).map(({ resource }) => resource).filter(isLeftCommand);
    expect(found).toBeDefined();
    if (!found) return;
    // Its start could not be told, so that it may be another process by now.
    const unseen = { ...command, startedAt: 'unknown' };
    await remember(store, recordOf('r2', { commands: [unseen] }));
    expect(await endLeft(parts, [{ ...found, runId: 'r2', startedAt: 'unknown' }])).toMatchObject([
      {
        removed: false,
        error: { code: 'CLEANUP_FAILED', message: expect.stringContaining('could not be told') },
      },
    ]);
    expect(await endLeftCommand(kernel, unseen)).toBe(false);
    expect(await isThere(command)).toBe(true);
    // Somebody else has ended it.
    expect(await endLeft(parts, [{ ...found, runId: 'r3', startedAt: 'another time' }])).toMatchObject([
      { removed: true },
    ]);
    expect(await endLeft(parts, [found])).toMatchObject([{ removed: true }]);
    expect(await isThere(command)).toBe(false);
  });
});
