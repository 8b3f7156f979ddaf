import type { CheckStatus, HealthCheckResult, HealthReport } from '@argusai/core';

/** What a check has found, and whether anything was brought up here. */
export interface Checked extends HealthReport {
  readonly environment?: string;
}

/** A problem that is known comes before one that could not be looked at, as on the command line. */
const worstFirst: readonly CheckStatus[] = ['fail', 'warn', 'unknown'];

/** What is wrong or could not be looked at, the worst first. */
export function problemsOf(checks: readonly HealthCheckResult[]): readonly HealthCheckResult[] {
  return worstFirst.flatMap((status) => checks.filter((one) => one.status === status));
}
