import type { StructuredError } from './error-code.js';
import type { HealthReport } from './health-report.js';
import type { JsonObject } from './json.js';
import type { PlannedStep, RecoveryPlan } from './recovery-plan.js';

/** What the check after a repair says of it. */
export type Verdict = 'recovered' | 'ineffective' | 'worse';

/** Why a step was not carried out: the rule that refused it, and the reason for people. */
export interface Refusal {
  readonly rule: string;
  readonly reason: string;
}

/** What became of one planned step. */
export interface StepOutcome extends PlannedStep {
  /**
   * `planned` in a dry run, `not-needed` when an earlier step had resolved everything already, `interrupted` when it had begun
   * and was cancelled, so that it may be done, partly done or not done at all.
   */
  readonly outcome: 'planned' | 'applied' | 'refused' | 'failed' | 'not-needed' | 'interrupted';
  readonly refusal?: Refusal;
  readonly error?: StructuredError;
  /** What was kept before the resource was touched. */
  readonly evidence?: JsonObject;
  /** Only the check that followed says so. */
  readonly verdict?: Verdict;
}

/** What a recovery did, from the check before to the check after. */
export interface RecoveryReport {
  plan: RecoveryPlan;
  dryRun: boolean;
  before: HealthReport;
  /** The same checks afterwards; those that nothing touched as they were. */
  after: HealthReport;
  steps: StepOutcome[];
}
