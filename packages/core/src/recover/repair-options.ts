import type { RecoveryMode } from './policy/policy.js';

/** How to carry out a plan. */
export interface RepairOptions {
  readonly mode: RecoveryMode;
  /** Ask every rule, touch nothing, use up nothing. */
  readonly dryRun: boolean;
  readonly signal: AbortSignal;
}
