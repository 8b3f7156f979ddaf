import type { StateStore } from '../../state/state-store.js';
import { readRun } from '../runs/runs.js';
import { type HealthParts, type TriedHealth, tryHealth } from './try-health.js';

/** What the health check of a service of a run came to; nothing where there was none to try. */
export type HealthLookup = (runId: string, service: string) => TriedHealth | undefined;

/** Tries the health checks of all services of some runs that run on one runtime. A run that is over by now has none. */
export async function tryHealthOfRuns(
  parts: HealthParts & { readonly store: StateStore },
  runIds: Iterable<string>,
  runtime: string,
  signal: AbortSignal,
): Promise<HealthLookup> {
  const tried = new Map<string, ReadonlyMap<string, TriedHealth>>();
  await Promise.all(
    [...new Set(runIds)].map(async (runId) => {
      const run = await readRun(parts.store, runId);
      if (run) tried.set(runId, await tryHealth(parts, run, runtime, signal));
    }),
  );
  return (runId, service) => tried.get(runId)?.get(service);
}
