import { hostname } from 'node:os';
import type { Kernel } from '../../kernel/kernel.js';
import { ownerLookup } from '../ownership/liveness.js';
import type { Resource } from '../ownership/resource.js';
import { judgeResources } from '../runs/judge-resource.js';
import { neededRuntimes } from '../runs/needed-runtimes.js';
import { runsOf } from '../runs/runs.js';
import { seizeDeadRun } from '../runs/seize-run.js';
import { environmentOf } from '../services/environment-of.js';
import { removalOrder } from '../services/removal-order.js';
import { removeAll } from './remove-all.js';
import { takeDown } from './take-down.js';
import type { TakenDown } from './taken-down.js';
import { takenDown, together } from './taken-down.js';

/**
 * What dead runs of the project left behind, in whatever folder they ran, in the order in which it is removed. What another
 * store made is not ours to judge.
 */
export function deadResources(kernel: Kernel, signal: AbortSignal): Promise<Resource[]> {
  return findDead(kernel, signal, new Set());
}

/** The same without the runtimes of which it has been told already that they cannot be asked. */
async function findDead(
  kernel: Kernel,
  signal: AbortSignal,
  silent: ReadonlySet<string>,
): Promise<Resource[]> {
  const { store, project, clock } = kernel;
  const { services } = environmentOf(kernel.config, project);
  const runs = await runsOf(store, project.name);
  const listed = await Promise.all(
    (await neededRuntimes(kernel)).map(async (runtime) => {
      try {
        return await runtime.resources({ project: project.name }, signal);
      } catch (thrown) {
        if (signal.aborted || !silent.has(runtime.name)) throw thrown;
        // That it could not be asked, and what it may have, has been told already.
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
  return [
    ...runs.flatMap(({ id }) => removalOrder(dead.filter(isOf(id)), services).flat()),
    ...dead.filter(isStray),
  ];
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
  const silent = new Set(failed.map(({ resource: { type, runtime } }) => (type === 'run' ? runtime : '')));
  const strays = (await findDead(kernel, signal, silent)).filter(({ runId }) => !tried.has(runId));
  return together(...ends, takenDown(await removeAll(kernel, strays, signal)));
}
