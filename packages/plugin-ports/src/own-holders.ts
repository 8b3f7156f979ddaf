import type { RunRecord } from '@argusai/core';
import type { Conflict } from './conflict.js';
import { serviceMarkOf } from './system/service-mark.js';

/**
 * The conflicts whose port is held by a process that a live run of this folder has started for the very service that asks for it,
 * by the mark that it carries: also where its runtime does not see it any more. A setup ends it before it starts the service.
 */
export async function ownHolders(
  conflicts: readonly Conflict[],
  runs: readonly RunRecord[],
): Promise<Map<Conflict, number>> {
  const own = await Promise.all(
    conflicts.map(async (conflict): Promise<[Conflict, number][]> => {
      const { wish, cause } = conflict;
      const pid = cause.kind === 'held' ? cause.holder?.pid : undefined;
      const mark = pid === undefined ? undefined : await serviceMarkOf(pid);
      const isOwn = runs.some(
        ({ id, store }) => mark?.id === `${id}/${wish.service}` && mark.store === store,
      );
      return pid !== undefined && isOwn ? [[conflict, pid]] : [];
    }),
  );
  return new Map(own.flat());
}
