import { type Clock, type Project, type RunRecord, runsOf, type StateStore } from '@argusai/core';

/** What is needed to find the run of a folder. */
export interface RunParts {
  readonly store: StateStore;
  readonly clock: Clock;
}

/** The run that is up in the folder of a project. */
export async function currentRun(
  { store, clock }: RunParts,
  project: Project,
): Promise<RunRecord | undefined> {
  const now = clock.now();
  const runs = await runsOf(store, project.name);
  return runs.findLast(
    ({ worktree, state, leaseUntil }) => worktree === project.dir && state === 'up' && now < leaseUntil,
  );
}

/** The services of a run that are containers. */
export function containersOf({ services }: RunRecord): string[] {
  return Object.entries(services).flatMap(([name, { runtime }]) => (runtime === 'docker' ? [name] : []));
}
