import type { CheckStatus, HealthCheckResult } from '@argusai/core';

/** A problem that is known comes before one that could not be looked at, as on the command line. */
const worstFirst: readonly CheckStatus[] = ['fail', 'warn', 'unknown'];

/** What is wrong or could not be looked at, the worst first. */
export function problemsOf(checks: readonly HealthCheckResult[]): readonly HealthCheckResult[] {
  return worstFirst.flatMap((status) => checks.filter((one) => one.status === status));
}
