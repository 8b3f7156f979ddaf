import { runChecks } from '../check/run-checks.js';
import type { Kernel } from '../kernel/kernel.js';
import { type HealthReport, overallOf } from '../model/health-report.js';
import type { FindingReference } from '../model/recovery-plan.js';

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
  const only = affected.filter((name) => checks.some((check) => check.name === name));
  return runChecks(kernel, { only, signal });
}

/** The earlier report with the results that are known anew. */
export function updated(earlier: HealthReport, fresh: HealthReport): HealthReport {
  const renewed = new Set(fresh.checks.map(({ name }) => name));
  const names = [...new Set([...earlier.checks, ...fresh.checks].map(({ name }) => name))];
  const checks = names.flatMap((name) =>
    (renewed.has(name) ? fresh : earlier).checks.filter((result) => result.name === name),
  );
  const notices = [...earlier.notices, ...fresh.notices];
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
