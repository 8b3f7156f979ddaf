import type { StateStore } from '../../../state/state-store.js';
import { updateDocument } from '../../../state/update-document.js';
import type { Clock } from '../../../time/clock.js';
import type { BudgetLimit } from '../settings.js';
import { type SpendingAnswer, spendAll, type Takes } from './spend.js';
import { targetKey, withTargetKeys } from './target-key.js';

/** How often each target may be repaired. */
export interface Budget {
  /** Takes one repair of the target, unless all are used. */
  take(target: string): Promise<SpendingAnswer>;
}

/** What a budget is made of. */
export interface BudgetParts {
  readonly store: StateStore;
  readonly clock: Clock;
  readonly project: string;
  readonly limit: BudgetLimit;
}

// One document for each project: its old entries go with every take, where one for each target would stay for ever.
const namespace = 'budget';

/**
 * The budget in the store. A repair is taken for all processes that share the store: of any number of them that ask
 * for the last one at the same moment, exactly one gets it.
 */
export function createBudget({ store, clock, project, limit }: BudgetParts): Budget {
  return asked(async (targets) => {
    let answers: SpendingAnswer[] = [];
    await updateDocument(store, namespace, project, (current) => {
      const takes = withTargetKeys((current ?? {}) as Takes);
      const spent = spendAll(takes, targets, clock.now(), limit);
      answers = spent.answers;
      return spent.takes === takes ? undefined : spent.takes;
    });
    return answers;
  });
}

/** A budget for dry runs: it answers one take after the other as the stored one would, and leaves that as it is. */
export function rehearseBudget({ store, clock, project, limit }: BudgetParts): Budget {
  let takes: Takes | undefined;
  return asked(async (targets) => {
    const stored = takes ? undefined : await store.get(namespace, project);
    takes ??= withTargetKeys((stored?.value ?? {}) as Takes);
    const spent = spendAll(takes, targets, clock.now(), limit);
    takes = spent.takes;
    return spent.answers;
  });
}

/** Collects what is asked for at the same moment: the document, which names every target, is written once and not once for each. */
function asked(take: (targets: readonly string[]) => Promise<SpendingAnswer[]>): Budget {
  let waiting: string[] = [];
  let taking: Promise<SpendingAnswer[]> | undefined;
  const takeAll = async () => {
    await Promise.resolve();
    const targets = waiting;
    waiting = [];
    taking = undefined;
    return take(targets);
  };
  return {
    async take(target) {
      const index = waiting.push(targetKey(target)) - 1;
      taking ??= takeAll();
      return (await taking)[index] ?? { granted: false, used: 0 };
    },
  };
}
