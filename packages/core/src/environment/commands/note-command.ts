import { hostname } from 'node:os';
import type { Kernel } from '../../kernel/kernel.js';
import { ownIdentity, processStart } from '../processes/process-identity.js';
import type { RunCommand } from '../runs/run-record.js';
import { changeRun } from '../runs/runs.js';

const longestName = 60;

/**
 * Notes in a run's record that a command of a suite runs, so that whoever comes after a killed argus can end it. Gives what
 * strikes it off again. That this cannot be written must not cost the tests anything.
 */
export async function noteCommand(
  { store, clock, redactor }: Pick<Kernel, 'store' | 'clock' | 'redactor'>,
  runId: string,
  suite: string,
  pid: number,
  argv: readonly string[] = [],
): Promise<() => Promise<void>> {
  const [startedAt, by] = await Promise.all([processStart(pid), ownIdentity()]).catch(() => []);
  // It has ended already, or could never be told from another, or from those of an argus that still lives.
  if (startedAt === undefined || by === undefined) return async () => undefined;
  const words = argv.length === 0 ? {} : { words: firstWords(redactor.text(argv.join(' '))) };
  const noted = { host: hostname(), pid, startedAt, suite, ...words, since: clock.now() };
  const command: RunCommand = { ...noted, by };
  const isOther = (one: RunCommand) => one.pid !== pid || one.startedAt !== startedAt;
  const change = (extra: readonly RunCommand[]) =>
    changeRun(store, runId, ({ commands = [], ...run }) => ({
      ...run,
      commands: [...commands.filter(isOther), ...extra],
    })).catch(() => undefined);
  await change([command]);
  return () => change([]);
}

/** Enough to know a command by, on one line. Cut after its secrets are removed, because half a secret is not known as one. */
function firstWords(command: string): string {
  const line = command.replace(/\s+/g, ' ').trim();
  return line.length > longestName ? `${line.slice(0, longestName)}…` : line;
}
