import type { HealthCheckResult } from '../../model/check-result.js';
import type { StateStore } from '../../state/state-store.js';
import type { Clock } from '../../time/clock.js';
import { createBudget, rehearseBudget } from './budget/budget.js';
import type { Decision } from './decision.js';
import { failureCounts } from './failures/failure-counts.js';
import type { Proposal } from './proposal.js';
import type { Circumstances, RecoveryMode, Rule, Self } from './rule.js';
import { autonomy } from './rules/autonomy.js';
import { consecutive } from './rules/consecutive.js';
import { correlated, failingTargets } from './rules/correlated.js';
import { exclusion } from './rules/exclusion.js';
import { unasked } from './rules/unasked.js';
import { withinBudget } from './rules/within-budget.js';
import type { PolicySettings } from './settings.js';

/** What a policy is made of, for the repairs that answer one check run. */
export interface PolicyParts {
  readonly settings: PolicySettings;
  readonly mode: RecoveryMode;
  /** Decides as it would, but takes nothing from the budget. */
  readonly dryRun: boolean;
  /** The results of the check run that the repairs answer, already recorded. */
  readonly checks: readonly HealthCheckResult[];
  readonly project: string;
  readonly store: StateStore;
  readonly clock: Clock;
  readonly self: Self;
}

/** Decides which repairs may be made. */
export interface Policy {
  /**
   * Decides about one step. To be asked when nothing else stands in the way of the step any more, because a yes has
   * taken from the budget. It throws when the store cannot be used: then nothing may be done either.
   */
  decide(proposal: Proposal): Promise<Decision>;
}

/** In the order in which they are asked; the budget last, because to ask it is to take from it. */
const rules: readonly Rule[] = [exclusion, autonomy, correlated, consecutive, unasked, withinBudget];

/** Makes the policy for the repairs that answer one check run. */
export function createPolicy({ mode, dryRun, settings, self, checks, ...state }: PolicyParts): Policy {
  const binding = rules.filter(({ liftedByApproval }) => mode !== 'approved' || !liftedByApproval);
  let counts: ReturnType<typeof failureCounts> | undefined;
  const circumstances: Circumstances = {
    mode,
    settings,
    self,
    failing: failingTargets(checks),
    // Read once: the document names every problem there is.
    async failuresOf(findings) {
      counts ??= failureCounts(state.store, state.project);
      return findings.map(await counts);
    },
    budget: (dryRun ? rehearseBudget : createBudget)({ ...state, limit: settings.budget }),
  };
  return {
    async decide(proposal) {
      for (const rule of binding) {
        const reason = await rule.refuse(proposal, circumstances);
        if (reason !== undefined) return { allowed: false, rule: rule.name, reason };
      }
      return { allowed: true };
    },
  };
}
