import type { Kernel } from '../../kernel/kernel.js';
import type { RunRecord } from '../runs/run-record.js';
import { endLeftCommand, leftCommands } from './left-commands.js';

/** Ends the tests, or what else is noted as a command, that an argus has left running because it was killed, and says so. */
export async function endLeftCommands(
  { clock, events }: Pick<Kernel, 'clock' | 'events'>,
  run: Pick<RunRecord, 'commands'>,
  { self = process.pid, what = 'the tests' } = {},
): Promise<void> {
  for (const command of await leftCommands(run, self)) {
    const isGone = await endLeftCommand({ clock }, command);
    events.emit('cleanup_resource', {
      type: 'command',
      name: command.suite,
      action: isGone ? 'removed' : 'failed',
      message: `${what} of a killed argus, process ${command.pid}`,
    });
  }
}
