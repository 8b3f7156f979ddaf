import { hostname } from 'node:os';
import type { Kernel } from '../kernel/kernel.js';
import { ownIdentity, processStart } from './process-identity.js';
import type { RunCommand } from './run-record.js';
import { changeRun } from './runs.js';

/**
 * Notes in a run's record that a command of a suite runs, so that whoever comes after a killed argus can end it. Gives what
 * strikes it off again. That this cannot be written must not cost the tests anything.
 */
export async function noteCommand(
  { store }: Pick<Kernel, 'store'>,
  runId: string,
  suite: string,
  pid: number,
): Promise<() => Promise<void>> {
  const startedAt = await processStart(pid).catch(() => undefined);
  // It has ended already, or could never be told from another.
  if (startedAt === undefined) return async () => undefined;
  const command: RunCommand = { host: hostname(), pid, startedAt, suite, by: await ownIdentity() };
  const isOther = (one: RunCommand) => one.pid !== pid || one.startedAt !== startedAt;
  const change = (extra: readonly RunCommand[]) =>
    changeRun(store, runId, ({ commands = [], ...run }) => ({
      ...run,
      commands: [...commands.filter(isOther), ...extra],
    })).catch(() => undefined);
  await change([command]);
  return () => change([]);
}
