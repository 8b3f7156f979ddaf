import type { Kernel } from '../kernel/kernel.js';
import type { PlannedStep } from '../model/recovery-plan.js';
import type { Refusal, StepOutcome } from '../model/recovery-report.js';
import { breather } from '../time/breather.js';
import { never } from '../time/never.js';
import type { Policy } from './policy/policy.js';
import type { RepairOptions } from './repair-options.js';
import { vetoOf } from './veto.js';

/** The steps that may be taken, and the others with the rule that refused them. */
export interface Permissions {
  readonly allowed: PlannedStep[];
  readonly refused: StepOutcome[];
}

/**
 * Asks for each step whether it may be taken: the person first, then the plugins, who may veto, then the policy. Nobody goes on asking
 * once it is cancelled; what is missing then was not asked for.
 */
export async function askPermission(
  kernel: Kernel,
  policy: Policy,
  steps: readonly PlannedStep[],
  { refused = new Map(), signal }: Pick<RepairOptions, 'refused' | 'signal'>,
): Promise<Permissions> {
  const breathe = breather();
  const vetoes: (Refusal | undefined)[] = [];
  for (const step of steps) {
    await breathe();
    if (signal.aborted) return { allowed: [], refused: [] };
    vetoes.push(refused.get(step) ?? (await forbidden(kernel, step)));
  }
  // All at once, so that the budget is written once.
  const refusals = await Promise.all(
    steps.map(async (step, index) => vetoes[index] ?? (await refusalOf(policy, step))),
  );
  return {
    allowed: steps.filter((_, index) => refusals[index] === undefined),
    refused: steps.flatMap((step, index): StepOutcome[] => {
      const refusal = refusals[index];
      return refusal ? [{ ...step, outcome: 'refused', refusal }] : [];
    }),
  };
}

async function forbidden(kernel: Kernel, step: PlannedStep): Promise<Refusal | undefined> {
  const reason = await vetoOf(kernel, step, never());
  return reason === undefined ? undefined : { rule: 'veto', reason };
}

async function refusalOf(policy: Policy, step: PlannedStep): Promise<Refusal | undefined> {
  const decision = await policy.decide(step);
  return decision.allowed ? undefined : { rule: decision.rule, reason: decision.reason };
}
