import type { PlannedStep } from '../../model/recovery-plan.js';

/** What the policy looks at in a step that someone would like to take. */
export type Proposal = Pick<PlannedStep, 'recoverer' | 'risk' | 'target' | 'service' | 'findings'>;
