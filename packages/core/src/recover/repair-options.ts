import type { PlannedStep } from '../model/recovery-plan.js';
import type { Refusal } from '../model/recovery-report.js';
import type { RecoveryMode } from './policy/rule.js';

/** How to carry out a plan. */
export interface RepairOptions {
  readonly mode: RecoveryMode;
  /** Ask every rule, touch nothing, use up nothing. */
  readonly dryRun: boolean;
  /** Steps that nobody has agreed to, with the reason. */
  readonly refused?: ReadonlyMap<PlannedStep, Refusal>;
  readonly signal: AbortSignal;
}
