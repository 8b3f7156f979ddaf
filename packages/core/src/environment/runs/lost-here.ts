import type { Kernel } from '../../kernel/kernel.js';
import type { StructuredError } from '../../model/error-code.js';
import { toStructuredError } from '../../model/to-structured-error.js';
import type { Resource } from '../ownership/resource.js';
import { environmentOf } from '../services/environment-of.js';
import { removalOrder } from '../services/removal-order.js';
import { neededRuntimes } from './needed-runtimes.js';

/** A runtime that could not be asked, and why. */
export interface Unlooked {
  readonly runtime: string;
  readonly error: Pick<StructuredError, 'message'> & Partial<StructuredError>;
}

/** What is there of runs of this folder whose records were lost with a former store. */
export interface Lost {
  /** In the order in which it is removed. */
  readonly resources: readonly Resource[];
  readonly unlooked: readonly Unlooked[];
}

/**
 * Looks for what runs of this folder have made that a former store of this place knew: its label names this project, this
 * folder and that store. Nobody is asked where no store was ever lost.
 */
export async function lostHere(kernel: Kernel, signal: AbortSignal): Promise<Lost> {
  const { store, project, config, clock } = kernel;
  const former = (await store.formerIds?.()) ?? [];
  if (former.length === 0) return { resources: [], unlooked: [] };
  const { services } = environmentOf(config, project);
  const answers = await Promise.all(
    (await neededRuntimes(kernel)).map(async (runtime) => {
      try {
        return { resources: await runtime.resources({ project: project.name }, signal) };
      } catch (thrown) {
        signal.throwIfAborted();
        return { unlooked: { runtime: runtime.name, error: toStructuredError(thrown, clock.now()) } };
      }
    }),
  );
  const isLost = (one: Resource) =>
    one.project === project.name && one.worktree === project.dir && former.includes(one.store);
  const found = answers.flatMap(({ resources = [] }) => resources).filter(isLost);
  return {
    resources: removalOrder(found, services).flat(),
    unlooked: answers.flatMap(({ unlooked }) => (unlooked ? [unlooked] : [])),
  };
}
