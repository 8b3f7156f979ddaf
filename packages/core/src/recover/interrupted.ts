import { ArgusError } from '../model/argus-error.js';
import { cancelled } from '../model/core-error-codes.js';
import { toJson } from '../model/json.js';
import { type PlannedStep, type RecoveryPlan, stepKey } from '../model/recovery-plan.js';
import type { StepOutcome } from '../model/recovery-report.js';

/** The error of a recovery that was cancelled: what it had done, what had begun, and what had not. */
export function interrupted(plan: RecoveryPlan, steps: readonly StepOutcome[]): ArgusError {
  const begun = steps.filter(({ outcome }) => outcome === 'interrupted');
  const done = steps.filter(({ outcome }) => outcome === 'applied');
  const known = new Set(steps.map(stepKey));
  const notBegun = plan.steps.filter((step) => !known.has(stepKey(step)));
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

/** How many steps a sentence names; the details have all. */
const maxNamed = 20;

function named(steps: readonly PlannedStep[]): string {
  const names = steps.slice(0, maxNamed).map(({ action, target }) => `${action} ${target}`);
  const others = steps.length - names.length;
  return [...names, ...(others > 0 ? [`and ${others} more`] : [])].join(', ');
}
