import type { Kernel } from '../kernel/kernel.js';
import { presentError } from '../kernel/present.js';
import type { StructuredError } from '../model/error-code.js';
import { type HealthReport, overallOf } from '../model/health-report.js';
import type { FindingReference } from '../model/recovery-plan.js';
import { toStructuredError } from '../model/to-structured-error.js';
import { storeNotices } from '../state/store-notices.js';
import { recordCheckRun, recordRecovered } from './policy/failures/failure-counts.js';

/**
 * Counts for how many runs in a row each problem has been there. A store that cannot be used must not keep anyone
 * from seeing the report, so it becomes a notice; a repair, which needs the count, asks the store itself.
 */
export async function remember(kernel: Kernel, report: HealthReport): Promise<HealthReport> {
  const { store, project, clock } = kernel;
  const notices = [...report.notices];
  let failure: StructuredError | undefined;
  try {
    await recordCheckRun(store, project.name, report.checks);
  } catch (thrown) {
    failure = presentError(kernel, toStructuredError(thrown, clock.now()));
    notices.push(failure);
  }
  // Once is enough: a store that cannot be used also says so itself.
  notices.push(...(await storeNotices(kernel)).filter(({ code }) => code !== failure?.code));
  return { ...report, notices, overall: overallOf(report.checks, notices) };
}

/** Starts the count of problems afresh that a repair has resolved. */
export async function rememberRecovered(
  kernel: Kernel,
  findings: readonly FindingReference[],
): Promise<void> {
  const { store, project } = kernel;
  if (findings.length > 0) await recordRecovered(store, project.name, findings);
}
