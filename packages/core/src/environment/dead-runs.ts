import { hostname } from 'node:os';
import type { Kernel } from '../kernel/kernel.js';
import { livenessOf, ownerLookup } from './liveness.js';
import type { Resource } from './resource.js';
import { forgetRun, runsOf } from './runs.js';
import { removeAll, type TakenDown } from './take-down.js';

/** What dead runs of the project left behind, in whatever folder they ran. What another store made is not ours to judge. */
export async function deadResources(kernel: Kernel, signal: AbortSignal): Promise<Resource[]> {
  const { store, project, clock, runtimes } = kernel;
  const own = await store.id();
  const found = await Promise.all(
    runtimes.values().map((runtime) => runtime.resources({ project: project.name }, signal)),
  );
  // The records are read after the resources: what was made meanwhile has its record already.
  const records = new Map((await runsOf(store, project.name)).map((run) => [run.id, run]));
  const lookUp = ownerLookup(hostname());
  const judged = await Promise.all(
    found.flat().map(async (resource) => {
      const { alive } = await livenessOf(records.get(resource.runId), clock.now(), lookUp);
      return { resource, dead: resource.store === own && !alive };
    }),
  );
  return judged.flatMap(({ resource, dead }) => (dead ? [resource] : []));
}

/** Removes what dead runs left behind, and their records. */
export async function cleanDeadRuns(kernel: Kernel, signal: AbortSignal): Promise<TakenDown> {
  const { store, project, clock } = kernel;
  const removals = await removeAll(kernel, await deadResources(kernel, signal), signal);
  const lookUp = ownerLookup(hostname());
  for (const run of await runsOf(store, project.name)) {
    const { alive } = await livenessOf(run, clock.now(), lookUp);
    if (!alive) await forgetRun(store, run.id);
  }
  return {
    removed: removals.flatMap((one) => (one.removed ? [one.resource] : [])),
    failed: removals.flatMap((one) => (one.removed ? [] : [{ resource: one.resource, error: one.error }])),
  };
}
