import { hostname } from 'node:os';
import type { Kernel } from '../kernel/kernel.js';
import { pause } from '../time/pause.js';
import { ownerLookup } from './liveness.js';
import { descendantsOf, endTree } from './process-tree.js';
import type { RunRecord } from './run-record.js';

/** How long a command that was left behind may take to end by itself, and then to be gone, in milliseconds. */
const patience = { politeMs: 5_000, forcedMs: 2_000, pollMs: 20 };

/**
 * Ends the tests, or what else is noted as a command, that an argus has left running because it was killed, with all that they have started, and says so. Only
 * what is surely theirs: the same process number with the same start, of an argus that is surely gone.
 */
export async function endLeftCommands(
  { clock, events }: Pick<Kernel, 'clock' | 'events'>,
  { commands = [] }: Pick<RunRecord, 'commands'>,
  { self = process.pid, what = 'the tests' } = {},
): Promise<void> {
  const lookUp = ownerLookup(hostname());
  for (const command of commands) {
    const { pid, suite, by } = command;
    if ((await lookUp(by)) !== 'dead' || (await lookUp(command)) !== 'alive') continue;
    // Whoever was left behind may be the one who asks for this very work.
    if ((await descendantsOf(pid)).includes(self)) continue;
    await endTree(clock, pid, patience.politeMs);
    const giveUpAt = clock.monotonic() + patience.forcedMs;
    const isThere = async () => (await lookUp(command)) === 'alive';
    while ((await isThere()) && clock.monotonic() < giveUpAt) await pause(clock, patience.pollMs);
    const isGone = !(await isThere());
    const message = `${what} of a killed argus, process ${pid}`;
    events.emit('cleanup_resource', {
      ...{ type: 'command', name: suite, action: isGone ? 'removed' : 'failed', message },
    });
  }
}
