import type { PlannedStep } from '../model/recovery-plan.js';
import type { RecoveryMode } from './policy/policy.js';

/** How to carry out a plan. */
export interface RepairOptions {
  readonly mode: RecoveryMode;
  /** Ask every rule, touch nothing, use up nothing. */
  readonly dryRun: boolean;
  /** Steps that somebody who was asked does not want. */
  readonly declined?: ReadonlySet<PlannedStep>;
  readonly signal: AbortSignal;
}
