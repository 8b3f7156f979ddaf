import type { Kernel } from '../kernel/kernel.js';
import type { Checker } from '../model/checker.js';
import { lengthOfList } from '../model/length-of-list.js';

/** What a checker returned, before the kernel made it fit to be seen. */
export interface Answer {
  readonly checker: string;
  readonly outcomes: readonly unknown[];
}

/** A kernel whose checkers are overheard. */
export interface Watched {
  readonly kernel: Kernel;
  readonly answers: Answer[];
}

/**
 * Puts a listener before every checker. The kernel mends what it can of what a checker says, so its own results do
 * not show everything that is wrong with them.
 */
export function watchCheckers(kernel: Kernel): Watched {
  const answers: Answer[] = [];
  const watch = (checker: Checker): Checker => ({
    ...checker,
    async check(context) {
      const returned = await checker.check(context);
      answers.push({
        checker: checker.name,
        outcomes: Array.isArray(returned) ? itemsOf(returned) : [returned],
      });
      return returned;
    },
  });
  const watched = new Map(kernel.checkers.values().map((checker) => [checker.name, watch(checker)]));
  const checkers: Kernel['checkers'] = {
    get: (name) => watched.get(name),
    has: (name) => watched.has(name),
    ownerOf: (name) => kernel.checkers.ownerOf(name),
    values: () => [...watched.values()],
    names: () => [...watched.keys()],
  };
  return { kernel: { ...kernel, checkers }, answers };
}

/** The items as the kernel reads them, holes and all. */
function itemsOf(list: readonly unknown[]): unknown[] {
  return Array.from({ length: lengthOfList(list) }, (_, index) => list[index]);
}
