import type { Kernel } from '../../kernel/kernel.js';
import { toStructuredError } from '../../model/to-structured-error.js';
import type { Resource } from '../ownership/resource.js';
import { environmentOf } from '../services/environment-of.js';
import { removalOrder } from '../services/removal-order.js';
import { neededRuntimes } from './needed-runtimes.js';

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
