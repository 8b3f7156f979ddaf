import { runChecks } from '../check/run-checks.js';
import type { Kernel } from '../kernel/kernel.js';
import type { CheckStatus } from '../model/check-result.js';
import { groupBy } from '../model/group-by.js';
import { type HealthReport, overallOf } from '../model/health-report.js';
import type { FindingReference } from '../model/recovery-plan.js';

/** What nobody need look at again. */
const fine: readonly CheckStatus[] = ['pass', 'skipped'];

/** Runs the checkers that found something again, and those of the report that depend on them: only like can be compared with like. */
export async function reCheck(
  kernel: Kernel,
  findings: readonly FindingReference[],
  { checks }: Pick<HealthReport, 'checks'>,
  signal: AbortSignal,
): Promise<HealthReport> {
  const affected = withDependents(
    kernel,
    findings.map(({ check }) => check),
  );
  const known = new Set(checks.map(({ name }) => name));
  const only = affected.filter((name) => known.has(name));
  return runChecks(kernel, { only, signal });
}

/**
 * The report with another look at what was not fine in it and was not looked at since: a repair may have put right more than it was
 * for, and what is told in the end must be true then.
 */
export async function lookAgain(
  kernel: Kernel,
  report: HealthReport,
  seen: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<HealthReport> {
  const open = report.checks.filter(({ name, status }) => !fine.includes(status) && !seen.has(name));
  const only = [...new Set(open.map(({ name }) => name))];
  return only.length === 0 ? report : updated(report, await runChecks(kernel, { only, signal }));
}

/** The earlier report with the results that are known anew. */
export function updated(earlier: HealthReport, fresh: HealthReport): HealthReport {
  const byName = ({ checks }: HealthReport) => groupBy(checks, ({ name }) => name);
  const [then, now] = [byName(earlier), byName(fresh)];
  const checks = [...new Set([...then.keys(), ...now.keys()])].flatMap(
    (name) => now.get(name) ?? then.get(name) ?? [],
  );
  // The store says the same of itself at every check.
  const news = fresh.notices.filter(
    ({ code, message }) => !earlier.notices.some((told) => told.code === code && told.message === message),
  );
  const notices = [...earlier.notices, ...news];
  return { ...fresh, checks, overall: overallOf(checks, notices), notices };
}

/** Checkers with all those that require or follow them, directly or not. */
function withDependents({ checkers }: Kernel, names: readonly string[]): string[] {
  const affected = new Set(names);
  let size = 0;
  while (size !== affected.size) {
    size = affected.size;
    for (const { name, requires = [], follows = [] } of checkers.values()) {
      if ([...requires, ...follows].some((required) => affected.has(required))) affected.add(name);
    }
  }
  return [...affected];
}
