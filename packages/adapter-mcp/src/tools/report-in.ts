import type { HealthReport } from '@argusai/core';

/** The newest report of a check in what an operation gave; nothing where it has checked nothing. */
export function reportIn(operation: string, data: unknown): HealthReport | undefined {
  if (operation === 'preflight-check') return data as HealthReport;
  const { preflight, after, setup } = data as Readonly<Record<string, unknown>>;
  if (operation === 'apply-recovery') return after as HealthReport;
  const checked = operation === 'run' ? (setup as { preflight?: unknown } | undefined)?.preflight : preflight;
  return isReport(checked) ? checked : undefined;
}

function isReport(value: unknown): value is HealthReport {
  return typeof value === 'object' && value !== null && 'overall' in value && 'checks' in value;
}
