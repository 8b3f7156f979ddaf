import type { PlannedStep, RecoveryPlan } from './recovery-plan.js';
import type { StepOutcome } from './recovery-report.js';

/** What somebody is asked to agree to: a whole plan, with what would be refused of it all the same, or one step of it that cannot be undone. */
export type Question =
  | { readonly about: 'plan'; readonly plan: RecoveryPlan; readonly refused: readonly StepOutcome[] }
  | { readonly about: 'step'; readonly step: PlannedStep };

/** Asks whoever gave the order. Surfaces where nobody can be asked have none. */
export type Ask = (question: Question, signal: AbortSignal) => Promise<boolean>;
