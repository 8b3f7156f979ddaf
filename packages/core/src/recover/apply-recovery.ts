import { runChecks } from '../check/run-checks.js';
import type { CheckFilter } from '../check/select-checkers.js';
import type { Kernel } from '../kernel/kernel.js';
import { ArgusError } from '../model/argus-error.js';
import { planStale } from '../model/core-error-codes.js';
import type { RecoveryPlan } from '../model/recovery-plan.js';
import type { RecoveryReport } from '../model/recovery-report.js';
import { carryOut } from './carry-out.js';
import { planFor } from './plan-recovery.js';
import { remember } from './remember.js';
import type { RepairOptions } from './repair-options.js';

/**
 * Carries out the plan with this hash. Nothing is kept between planning and applying: the plan is made again from
 * the world as it is, and unless that gives the very same plan, nothing is touched.
 */
export async function applyRecovery(
  kernel: Kernel,
  hash: string,
  options: RepairOptions & CheckFilter,
): Promise<RecoveryReport> {
  const before = await remember(kernel, await runChecks(kernel, options));
  const plan = await planFor(kernel, before, options.signal);
  requireHash(hash, plan);
  return carryOut(kernel, plan, before, options);
}

/** Throws unless this is the plan that was agreed to. */
export function requireHash(hash: string, plan: RecoveryPlan): void {
  if (plan.hash !== hash) throw stale(hash, plan);
}

function stale(asked: string, { hash, notices: [broken] }: RecoveryPlan): ArgusError {
  const nothing = broken
    ? `it could not be made again: ${broken.message}`
    : 'there is nothing to do any more';
  const now = hash === null ? nothing : `the plan is now ${hash}`;
  return new ArgusError(planStale, {
    message: `The plan ${asked} no longer fits: ${now}. Nothing was touched`,
    details: { asked, hash },
  });
}
