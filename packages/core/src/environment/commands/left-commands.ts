import { hostname } from 'node:os';
import type { Kernel } from '../../kernel/kernel.js';
import { pause } from '../../time/pause.js';
import { ownerLookup } from '../ownership/liveness.js';
import { descendantsOf, endTree } from '../processes/process-tree.js';
import type { RunCommand, RunRecord } from '../runs/run-record.js';

/** How long a command that was left behind may take to end by itself, and then to be gone, in milliseconds. */
const patience = { politeMs: 5_000, forcedMs: 2_000, pollMs: 20 };

/**
 * The commands of a run that an argus has left running because it was killed. Only what is surely theirs: the same process
 * number with the same start, of an argus that is surely gone.
 */
export async function leftCommands(
  { commands = [] }: Pick<RunRecord, 'commands'>,
  self = process.pid,
): Promise<RunCommand[]> {
  const lookUp = ownerLookup(hostname());
  const left: RunCommand[] = [];
  for (const command of commands) {
    if ((await lookUp(command.by)) !== 'dead' || (await lookUp(command)) !== 'alive') continue;
    // Whoever was left behind may be the one who asks for this very work.
    if (!(await descendantsOf(command.pid)).includes(self)) left.push(command);
  }
  return left;
}

/**
 * Ends a command that was left behind, with all that it has started; tells whether it is gone. What cannot be looked at is neither
 * ended, because it may be another process by now, nor gone.
 */
export async function endLeftCommand(
  { clock }: Pick<Kernel, 'clock'>,
  command: RunCommand,
): Promise<boolean> {
  const lookUp = ownerLookup(hostname());
  const isGone = async () => (await lookUp(command)) === 'dead';
  if ((await lookUp(command)) !== 'alive') return isGone();
  await endTree(clock, command.pid, patience.politeMs);
  const giveUpAt = clock.monotonic() + patience.forcedMs;
  while (!(await isGone()) && clock.monotonic() < giveUpAt) await pause(clock, patience.pollMs);
  return isGone();
}
