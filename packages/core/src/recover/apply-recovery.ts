import { runChecks } from '../check/run-checks.js';
import type { CheckFilter } from '../check/select-checkers.js';
import type { Kernel } from '../kernel/kernel.js';
import { ArgusError, thrownAs } from '../model/argus-error.js';
import { planStale } from '../model/core-error-codes.js';
import type { StructuredError } from '../model/error-code.js';
import type { HealthReport } from '../model/health-report.js';
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
  requireHash(hash, plan, before);
  return carryOut(kernel, plan, before, options);
}

/** Throws unless this is the plan that was agreed to. Where nothing can be planned because nobody could look, the cause of that is told. */
export function requireHash(hash: string, plan: RecoveryPlan, report: HealthReport): void {
  if (plan.hash === hash) return;
  const cause = plan.hash === null ? obstacleIn(report) : undefined;
  throw cause ? thrownAs(cause) : stale(hash, plan, report);
}

/** The problem that kept other checks from looking. */
function obstacleIn({ checks }: HealthReport): StructuredError | undefined {
  const obstacles = new Set(
    checks.map(({ status, causedBy }) => (status === 'skipped' ? causedBy : undefined)),
  );
  return checks.find(({ name, status, error }) => status === 'fail' && error && obstacles.has(name))?.error;
}

function stale(asked: string, { hash, notices }: RecoveryPlan, { checks }: HealthReport): ArgusError {
  const unseen = checks.find(({ status }) => status === 'unknown');
  const broken = notices[0]?.message ?? (unseen && `${unseen.name}: ${unseen.message}`);
  const nothing =
    broken === undefined ? 'there is nothing to do any more' : `it could not be made again: ${broken}`;
  const now = hash === null ? nothing : 'what would be done is something else by now';
  return new ArgusError(planStale, {
    message: `The plan ${asked} no longer fits: ${now}. Nothing was touched`,
    details: { asked },
  });
}
