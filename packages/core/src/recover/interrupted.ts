import { ArgusError } from '../model/argus-error.js';
import { cancelled } from '../model/core-error-codes.js';
import { toJson } from '../model/json.js';
import type { PlannedStep, RecoveryPlan } from '../model/recovery-plan.js';
import type { StepOutcome } from '../model/recovery-report.js';

/** The error of a recovery that was cancelled: what it had done, what had begun, and what had not. */
export function interrupted(plan: RecoveryPlan, steps: readonly StepOutcome[]): ArgusError {
  const begun = steps.filter(({ outcome }) => outcome === 'interrupted');
  const done = steps.filter(({ outcome }) => outcome === 'applied');
  const notBegun = plan.steps.filter((step) => !steps.some((one) => isSame(one, step)));
  const parts = [
    ...(begun.length > 0 ? [`begun, and perhaps only partly done: ${named(begun)}`] : []),
    ...(done.length > 0 ? [`done before: ${named(done)}`] : []),
    ...(notBegun.length > 0 ? [`not begun: ${named(notBegun)}`] : []),
  ];
  const isUntouched = begun.length + done.length === 0;
  return new ArgusError(cancelled, {
    message: isUntouched
      ? 'The recovery was cancelled before it touched anything'
      : `The recovery was cancelled; ${parts.join('; ')}`,
    details: { steps: toJson(steps), notBegun: toJson(notBegun) },
  });
}

function isSame(one: PlannedStep, other: PlannedStep): boolean {
  return one.recoverer === other.recoverer && one.target === other.target && one.action === other.action;
}

function named(steps: readonly PlannedStep[]): string {
  return steps.map(({ action, target }) => `${action} ${target}`).join(', ');
}
