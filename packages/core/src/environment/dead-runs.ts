import { hostname } from 'node:os';
import type { Kernel } from '../kernel/kernel.js';
import { environmentOf } from './environment-of.js';
import { judgeResources, livenessOfRecord } from './judge-resource.js';
import { ownerLookup } from './liveness.js';
import { runtimesOf } from './look.js';
import { removeAll } from './remove-all.js';
import type { Resource } from './resource.js';
import type { RunRecord } from './run-record.js';
import { runsOf } from './runs.js';
import { seizeRun } from './seize-run.js';
import { type TakenDown, takeDown } from './take-down.js';

/** What dead runs of the project left behind, in whatever folder they ran. What another store made is not ours to judge. */
export async function deadResources(kernel: Kernel, signal: AbortSignal): Promise<Resource[]> {
  const { store, project, clock, runtimes } = kernel;
  const { services } = environmentOf(kernel.config, project);
  const needed = runtimesOf(kernel, undefined, services);
  const listed = await Promise.all(
    runtimes.values().map(async (runtime) => {
      try {
        return await runtime.resources({ project: project.name }, signal);
      } catch (thrown) {
        if (signal.aborted || needed.includes(runtime)) throw thrown;
        // An engine that is not there, and that no service needs, has nothing of this project.
        return [];
      }
    }),
  );
  const judge = { project: project.name, store, now: clock.now(), maxAgeMs: Number.POSITIVE_INFINITY };
  const judged = await judgeResources(listed.flat(), { ...judge, lookUp: ownerLookup(hostname()) });
  return judged.flatMap(({ resource, judgement }) => (judgement.verdict === 'orphan' ? [resource] : []));
}

/** Takes dead runs down, and removes what is left of runs that nobody knows any more. */
export async function cleanDeadRuns(kernel: Kernel, signal: AbortSignal): Promise<TakenDown> {
  const { store, project, clock, config } = kernel;
  const { services } = environmentOf(config, project);
  const lookUp = ownerLookup(hostname());
  const isOver = async (run: RunRecord) => !(await livenessOfRecord(run, clock.now(), lookUp)).alive;
  const ends: TakenDown[] = [];
  for (const run of await runsOf(store, project.name)) {
    const seized = await seizeRun(kernel, run.id, 'stopping', isOver);
    if (seized) ends.push(await takeDown(kernel, seized, services, signal));
  }
  const removed = ends.flatMap((end) => end.removed);
  const failed = ends.flatMap((end) => end.failed);
  const tried = new Set(failed.map(({ resource }) => resource.runId));
  const strays = (await deadResources(kernel, signal)).filter(({ runId }) => !tried.has(runId));
  for (const one of await removeAll(kernel, strays, signal)) {
    if (one.removed) removed.push(one.resource);
    else failed.push({ resource: one.resource, error: one.error });
  }
  return { removed, failed };
}
