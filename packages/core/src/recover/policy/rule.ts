import type { Budget } from './budget/budget.js';
import type { RuleName } from './decision.js';
import type { FindingName } from './failures/finding-key.js';
import type { Proposal } from './proposal.js';
import type { PolicySettings } from './settings.js';

/**
 * Who wants the repair: argus by itself, as somebody has told it to; `unattended` on nobody's word at all; `approved` someone who has
 * seen this exact plan and said yes to it.
 */
export type RecoveryMode = 'automatic' | 'unattended' | 'approved';

/** The processes that argus must not touch because it lives in them. */
export interface Self {
  readonly pid: number;
  readonly parentPid: number;
}

/** All that the rules look at besides the proposal itself. */
export interface Circumstances {
  readonly mode: RecoveryMode;
  readonly settings: PolicySettings;
  readonly self: Self;
  /** How many things fail in the check run that the proposals answer. */
  readonly failing: number;
  /** For how many check runs in a row a problem has been there, the last one included. */
  readonly failuresOf: (findings: readonly FindingName[]) => Promise<number[]>;
  readonly budget: Budget;
}

/** One reason why a repair may not be made. */
export interface Rule {
  readonly name: RuleName;
  /** Whether the rule is only there to keep argus from acting by itself, so that a person's yes lifts it. */
  readonly liftedByApproval: boolean;
  /** Says why the proposal is refused, or nothing when the rule has no objection. */
  refuse(proposal: Proposal, circumstances: Circumstances): string | undefined | Promise<string | undefined>;
}
