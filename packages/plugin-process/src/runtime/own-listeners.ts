import { descendantsOf, type Holder, listensForOthers, type RunIdentity } from '@argusai/core';
import { marksOf } from '../command/marks.js';
import { carries, membersOf } from '../programs/process-table.mjs';
import { glance, isRunning } from '../records/sighting.js';
import type { Tools } from './tools.js';

/**
 * Of each of those who listen, whether it is a service's own process: below it, in its group, or with the marks that only this service
 * of this run was given. Of a service that has ended only the marks can tell.
 */
export async function ownListeners(
  { records }: Pick<Tools, 'records'>,
  run: RunIdentity,
  service: string,
  listeners: readonly Holder[],
): Promise<(boolean | undefined)[]> {
  const record = await records.find(run.id, service);
  const sighting = record && (await glance(record));
  if (!record || !sighting?.isHere) return listeners.map(() => undefined);
  const leader = isRunning(sighting) ? sighting.state?.child?.pid : undefined;
  const isMarked = (pid: number) =>
    Object.entries(marksOf(record)).every(([name, value]) => carries(pid, name, value));
  let below: readonly number[] | undefined;
  const own: (boolean | undefined)[] = [];
  for (const { pid, command = '' } of listeners) {
    if (pid === undefined) own.push(undefined);
    else if (pid === leader || isMarked(pid)) own.push(true);
    else {
      // Some overwrite their variables, or are started without any.
      below ??= leader === undefined ? [] : [...membersOf(leader), ...(await descendantsOf(leader))];
      const [program = ''] = command.split(' ');
      own.push(below.includes(pid) || (listensForOthers(program) ? undefined : false));
    }
  }
  return own;
}
