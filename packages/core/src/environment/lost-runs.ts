import type { Kernel } from '../kernel/kernel.js';
import { presentError } from '../kernel/present.js';
import { structuredError } from '../model/error-code.js';
import { cleanupFailed } from '../model/run-error-codes.js';
import { toStructuredError } from '../model/to-structured-error.js';
import { environmentOf } from './environment-of.js';
import { neededRuntimes } from './needed-runtimes.js';
import { removalOrder } from './removal-order.js';
import { removeAll } from './remove-all.js';
import type { TakenDown } from './remove-of-run.js';
import type { Resource } from './resource.js';

/** What is there of runs of this folder whose records were lost with a former store. */
export interface Lost {
  /** In the order in which it is removed. */
  readonly resources: readonly Resource[];
  /** Runtimes that could not be asked, and why. */
  readonly unknown: readonly { readonly runtime: string; readonly reason: string }[];
}

/**
 * Looks for what runs of this folder have made that a former store of this place knew: its label names this project, this
 * folder and that store. Nobody is asked where no store was ever lost.
 */
export async function lostHere(kernel: Kernel, signal: AbortSignal): Promise<Lost> {
  const { store, project, config, clock } = kernel;
  const former = (await store.formerIds?.()) ?? [];
  if (former.length === 0) return { resources: [], unknown: [] };
  const { services } = environmentOf(config, project);
  const answers = await Promise.all(
    (await neededRuntimes(kernel)).map(async (runtime) => {
      try {
        return { resources: await runtime.resources({ project: project.name }, signal) };
      } catch (thrown) {
        signal.throwIfAborted();
        const reason = toStructuredError(thrown, clock.now()).message;
        return { unknown: { runtime: runtime.name, reason } };
      }
    }),
  );
  const isLost = (one: Resource) =>
    one.project === project.name && one.worktree === project.dir && former.includes(one.store);
  const found = answers.flatMap(({ resources = [] }) => resources).filter(isLost);
  return {
    resources: removalOrder(found, services).flat(),
    unknown: answers.flatMap(({ unknown }) => (unknown ? [unknown] : [])),
  };
}

/** Takes it down: whoever cleans this folder means all that was ever set up in it. */
export async function cleanLost(kernel: Kernel, signal: AbortSignal): Promise<TakenDown> {
  const { resources, unknown } = await lostHere(kernel, signal);
  const { removed, failed } = await removeLost(kernel, resources, signal);
  return { removed, failed: [...unknown.map((one) => notLookedAt(kernel, one)), ...failed] };
}

/** Removes what is there of runs whose records were lost: dependents before what they depend on. */
export async function removeLost(
  kernel: Kernel,
  resources: readonly Resource[],
  signal: AbortSignal,
): Promise<TakenDown> {
  const { services } = environmentOf(kernel.config, kernel.project);
  const end: TakenDown = { removed: [], failed: [] };
  for (const level of removalOrder(resources, services)) {
    for (const one of await removeAll(kernel, level, signal)) {
      if (one.removed) end.removed.push(one.resource);
      else end.failed.push({ resource: one.resource, error: one.error });
    }
  }
  return end;
}

/** A runtime that cannot be asked may still have something of it. */
export function notLookedAt(
  kernel: Kernel,
  { runtime, reason }: Lost['unknown'][number],
): TakenDown['failed'][number] {
  const { project, clock } = kernel;
  const name = `what was lost on ${runtime}`;
  const resource = {
    ...{ runtime, type: 'run' as const, id: '', name, project: project.name, runId: '', store: '' },
    ...{ worktree: project.dir, createdAt: clock.now() },
  };
  const occurrence = { message: `${name}: ${reason}`, details: { type: 'run', name, id: '', reason } };
  return { resource, error: presentError(kernel, structuredError(cleanupFailed, occurrence, clock.now())) };
}
