import type { StructuredError } from '../model/error-code.js';
import type { HealthReport } from '../model/health-report.js';

/** What an operation answered, as far as it matters here. */
interface Answered {
  readonly ok: boolean;
  readonly data?: unknown;
  readonly notices?: readonly StructuredError[];
}

/**
 * Puts a crash beside the work into what is answered, because many read nothing else. A check during which something crashed is
 * not healthy: nobody knows what was not looked at because of it.
 */
export function withCrash<Told extends Answered>(told: Told, crash: StructuredError): Told {
  const notices = [...(told.notices ?? []), crash];
  if (!told.ok || !isHealthReport(told.data)) return { ...told, notices };
  const report = told.data;
  const overall = report.overall === 'healthy' ? 'degraded' : report.overall;
  return { ...told, data: { ...report, overall, notices: [...report.notices, crash] }, notices };
}

/** Whether data is the report of a check. */
export function isHealthReport(data: unknown): data is HealthReport {
  const report = data as Partial<HealthReport> | null | undefined;
  return Array.isArray(report?.checks) && Array.isArray(report.notices) && typeof report.overall === 'string';
}
