import type { Kernel } from '../kernel/kernel.js';
import type { PlannedStep } from '../model/recovery-plan.js';
import type { Refusal, StepOutcome } from '../model/recovery-report.js';
import { never } from '../time/never.js';
import type { Policy } from './policy/policy.js';
import { vetoOf } from './veto.js';

/** The steps that may be taken, and the others with the rule that refused them. */
export interface Permissions {
  readonly allowed: PlannedStep[];
  readonly refused: StepOutcome[];
}

/** Asks for each step whether it may be taken: the person first, then the plugins, who may veto, then the policy. */
export async function askPermission(
  kernel: Kernel,
  policy: Policy,
  steps: readonly PlannedStep[],
  refused: ReadonlyMap<PlannedStep, Refusal> = new Map(),
): Promise<Permissions> {
  const permissions: Permissions = { allowed: [], refused: [] };
  for (const step of steps) {
    const refusal = refused.get(step) ?? (await forbidden(kernel, step)) ?? (await refusalOf(policy, step));
    if (refusal) permissions.refused.push({ ...step, outcome: 'refused', refusal });
    else permissions.allowed.push(step);
  }
  return permissions;
}

async function forbidden(kernel: Kernel, step: PlannedStep): Promise<Refusal | undefined> {
  const reason = await vetoOf(kernel, step, never());
  return reason === undefined ? undefined : { rule: 'veto', reason };
}

async function refusalOf(policy: Policy, step: PlannedStep): Promise<Refusal | undefined> {
  const decision = await policy.decide(step);
  return decision.allowed ? undefined : { rule: decision.rule, reason: decision.reason };
}
