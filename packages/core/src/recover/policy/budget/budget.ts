import type { StateStore } from '../../../state/state-store.js';
import { updateDocument } from '../../../state/update-document.js';
import type { Clock } from '../../../time/clock.js';
import type { BudgetLimit } from '../settings.js';
import { type Spending, spend, type Takes } from './spend.js';
import { targetKey, withTargetKeys } from './target-key.js';

/** How often each target may be repaired. */
export interface Budget {
  /** Takes one repair of the target, unless all are used. */
  take(target: string): Promise<Omit<Spending, 'takes'>>;
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
  return {
    async take(target) {
      let spending: Spending = { granted: false, used: 0, takes: {} };
      await updateDocument(store, namespace, project, (current) => {
        const takes = withTargetKeys((current ?? {}) as Takes);
        spending = spend(takes, targetKey(target), clock.now(), limit);
        return spending.takes === takes ? undefined : spending.takes;
      });
      return spending;
    },
  };
}

/** A budget for dry runs: it answers one take after the other as the stored one would, and leaves that as it is. */
export function rehearseBudget({ store, clock, project, limit }: BudgetParts): Budget {
  let takes: Takes | undefined;
  return {
    async take(target) {
      const stored = takes ? undefined : await store.get(namespace, project);
      takes ??= withTargetKeys((stored?.value ?? {}) as Takes);
      const spending = spend(takes, targetKey(target), clock.now(), limit);
      takes = spending.takes;
      return spending;
    },
  };
}
