import { hostname } from 'node:os';
import { judgeResources, ownerLookup, type PluginContext, resourceTarget } from '@argusai/core';
import type { Conflict } from './conflict.js';
import { serviceMarkOf } from './system/service-mark.js';

type Parts = Pick<PluginContext, 'project' | 'store' | 'runtimes' | 'clock'>;

/**
 * The conflicts whose port is held by what a dead run of the project has left behind, each with the name that repairs know it
 * by. Judged as for removing it: what is not proved to be a dead run's is somebody's.
 */
export async function leftBehind(
  conflicts: readonly Conflict[],
  { project, store, runtimes, clock }: Parts,
  signal: AbortSignal,
): Promise<Map<Conflict, string>> {
  const marks = await Promise.all(conflicts.map(markOf));
  const runtime = runtimes.get('process');
  if (!runtime || marks.every((mark) => mark === undefined)) return new Map();
  const listed = await runtime.resources({ project: project.name }, signal);
  const judged = await judgeResources(
    listed.filter(({ id, store: own }) => marks.some((mark) => mark?.id === id && mark.store === own)),
    {
      ...{ project: project.name, store, now: clock.now(), maxAgeMs: Number.POSITIVE_INFINITY },
      lookUp: ownerLookup(hostname()),
    },
  );
  const dead = new Map(
    judged.flatMap(({ resource, judgement }) =>
      judgement.verdict === 'orphan' ? [[resource.id, resourceTarget(resource)] as const] : [],
    ),
  );
  return new Map(
    conflicts.flatMap((conflict, index) => {
      const target = dead.get(marks[index]?.id ?? '');
      return target === undefined ? [] : [[conflict, target] as const];
    }),
  );
}

async function markOf({ cause }: Conflict) {
  const pid = cause.kind === 'held' ? cause.holder?.pid : undefined;
  return pid === undefined ? undefined : serviceMarkOf(pid);
}
