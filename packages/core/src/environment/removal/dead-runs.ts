import { hostname } from 'node:os';
import type { Kernel } from '../../kernel/kernel.js';
import { toStructuredError } from '../../model/to-structured-error.js';
import { ownerLookup } from '../ownership/liveness.js';
import type { Resource } from '../ownership/resource.js';
import { judgeResources } from '../runs/judge-resource.js';
import { neededRuntimes } from '../runs/needed-runtimes.js';
import { runsOf } from '../runs/runs.js';
import { seizeDeadRun } from '../runs/seize-run.js';
import { environmentOf } from '../services/environment-of.js';
import { removalOrder } from '../services/removal-order.js';
import { deadOn, type NotTakenDown } from './remnants.js';
import { removeAll } from './remove-all.js';
import { takeDown } from './take-down.js';
import type { TakenDown } from './taken-down.js';
import { takenDown, together } from './taken-down.js';

/**
 * What dead runs of the project left behind, in whatever folder they ran, in the order in which it is removed. What another
 * store made is not ours to judge.
 */
export async function deadResources(kernel: Kernel, signal: AbortSignal): Promise<TakenDown> {
  const { store, project, clock } = kernel;
  const { services } = environmentOf(kernel.config, project);
  const runs = await runsOf(store, project.name);
  const failed: NotTakenDown[] = [];
  const listed = await Promise.all(
    (await neededRuntimes(kernel)).map(async (runtime) => {
      try {
        return await runtime.resources({ project: project.name }, signal);
      } catch (thrown) {
        signal.throwIfAborted();
        const error = toStructuredError(thrown, clock.now());
        failed.push(deadOn(kernel, { runtime: runtime.name, error }));
        return [];
      }
    }),
  );
  const judge = { project: project.name, store, now: clock.now(), maxAgeMs: Number.POSITIVE_INFINITY };
  const judged = await judgeResources(listed.flat(), { ...judge, lookUp: ownerLookup(hostname()) });
  const dead = judged.flatMap(({ resource, judgement }) =>
    judgement.verdict === 'orphan' ? [resource] : [],
  );
  const isOf = (id: string) => (resource: Resource) => resource.runId === id;
  const isStray = ({ runId }: Resource) => !runs.some(({ id }) => id === runId);
  return {
    removed: [
      ...runs.flatMap(({ id }) => removalOrder(dead.filter(isOf(id)), services).flat()),
      ...dead.filter(isStray),
    ],
    failed,
  };
}

/** Takes dead runs down, and removes what is left of runs that nobody knows any more. */
export async function cleanDeadRuns(kernel: Kernel, signal: AbortSignal): Promise<TakenDown> {
  const { store, project, config } = kernel;
  const { services } = environmentOf(config, project);
  const ends: TakenDown[] = [];
  for (const run of await runsOf(store, project.name)) {
    const seized = await seizeDeadRun(kernel, run.id);
    if (seized) ends.push(await takeDown(kernel, seized, services, signal));
  }
  const { failed } = together(...ends);
  const tried = new Set(failed.map(({ resource }) => resource.runId));
  // What may be left there of these runs has been told already.
  const told = new Set(failed.map(({ resource: { type, runtime } }) => (type === 'run' ? runtime : '')));
  const left = await deadResources(kernel, signal);
  const strays = left.removed.filter(({ runId }) => !tried.has(runId));
  const unlooked = left.failed.filter(({ resource }) => !told.has(resource.runtime));
  return together(
    ...ends,
    { removed: [], failed: unlooked },
    takenDown(await removeAll(kernel, strays, signal)),
  );
}
