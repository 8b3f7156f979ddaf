import { type Resource, type StartedRun, tellWaiting } from '@argusai/core';
import type { OrphanParts } from './orphan-parts.js';

/** Tells from time to time who does not end although he was told to, until what is given back is called. */
export async function tellWhoIsWaitedFor(
  parts: OrphanParts,
  resources: readonly Resource[],
  graceMs: number,
  signal: AbortSignal,
): Promise<() => void> {
  const runs = new Map<string, StartedRun>();
  const owner = await parts.owner();
  for (const { service, runtime, runId: id, project, worktree, store } of resources) {
    if (service === undefined) continue;
    const services = { ...runs.get(id)?.services, [service]: { runtime } };
    runs.set(id, { id, project, worktree, store, owner, services });
  }
  const waits = [...runs.values()].map((run) => {
    const waiting = tellWaiting(parts, run, graceMs, signal);
    waiting.told(Object.keys(run.services));
    return waiting;
  });
  return () => {
    for (const waiting of waits) waiting.end();
  };
}
