import { isTapped } from '../hooks/is-tapped.js';
import type { Kernel } from '../kernel/kernel.js';
import type { PlannedStep } from '../model/recovery-plan.js';
import type { Refusal, StepOutcome } from '../model/recovery-report.js';
import { toStructuredError } from '../model/to-structured-error.js';
import { withTimeLimit } from '../time/time-limit.js';
import type { Policy } from './policy/policy.js';

/** How long plugins may take to agree, in milliseconds. */
const hookMs = 10_000;

const never = new AbortController().signal;

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
    const refusal = refused.get(step) ?? (await vetoOf(kernel, step)) ?? (await refusalOf(policy, step));
    if (refusal) permissions.refused.push({ ...step, outcome: 'refused', refusal });
    else permissions.allowed.push(step);
  }
  return permissions;
}

/** A plugin's veto. One that breaks while it is asked has not agreed, so that is a veto too. */
async function vetoOf({ hooks, clock }: Kernel, step: PlannedStep): Promise<Refusal | undefined> {
  if (!isTapped(hooks.beforeRecover)) return undefined;
  try {
    const reason = await withTimeLimit(clock, hookMs, never, 'a plugin gave no answer', async () =>
      hooks.beforeRecover.promise(structuredClone(step)),
    );
    return reason === undefined ? undefined : { rule: 'veto', reason: `veto: ${reason}` };
  } catch (thrown) {
    const { message } = toStructuredError(thrown, clock.now());
    return { rule: 'veto', reason: `veto: a plugin broke when it was asked: ${message}` };
  }
}

async function refusalOf(policy: Policy, step: PlannedStep): Promise<Refusal | undefined> {
  const decision = await policy.decide(step);
  return decision.allowed ? undefined : { rule: decision.rule, reason: decision.reason };
}
