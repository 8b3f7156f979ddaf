import { randomUUID } from 'node:crypto';
import type { Clock } from '../../time/clock.js';
import { pause } from '../../time/pause.js';
import { type KnownProcess, signalKnown } from './known-process.js';
import { markedProcesses } from './marked-processes.js';

/** How often it is looked whether processes have ended, in milliseconds. */
const pollMs = 50;

/** How often one is looked at that shows no variables at all. */
const patientLooks = 3;

const markName = 'ARGUS_COMMAND';

/** A variable by which a command and all that it starts are known, also when the command itself is gone. */
export type CommandMark = { readonly [markName]: string };

/** A mark that nobody else has. */
export function newMark(): CommandMark {
  return { [markName]: randomUUID() };
}

/**
 * Ends what a command has left running: what carries its mark and is in the group of this process, which the command shares.
 * A process that got itself a group of its own was meant to stay. All are asked to, and what is still there after a while is killed.
 */
export async function endMarked(
  clock: Clock,
  mark: CommandMark,
  graceMs: number,
  onEnd: (pid: number) => void = () => undefined,
): Promise<void> {
  const giveUpAt = clock.monotonic() + graceMs;
  const told = new Set<string>();
  for (let unclearLooks = 0; ; ) {
    const { found, isUnclear } = await markedProcesses(mark, 'own-group');
    const isLate = clock.monotonic() >= giveUpAt;
    const untold = found.filter((one) => !told.has(idOf(one)));
    for (const one of untold) {
      onEnd(one.pid);
      told.add(idOf(one));
    }
    await Promise.all(
      isLate
        ? found.map((one) => signalKnown(one, 'SIGKILL'))
        : untold.map((one) => signalKnown(one, 'SIGTERM')),
    );
    if (found.length === 0 && isUnclear) unclearLooks += 1;
    if (isLate || (found.length === 0 && (!isUnclear || unclearLooks > patientLooks))) return;
    await pause(clock, pollMs);
  }
}

function idOf({ pid, start }: KnownProcess): string {
  return `${pid} ${start}`;
}
