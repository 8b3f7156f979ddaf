import type { HealthReport } from '@argusai/core';
import type { Outcome } from './outcome.js';

/**
 * Puts a crash beside the work into the envelope, because many read nothing else. A check during which something crashed is
 * not healthy: nobody knows what was not looked at because of it.
 */
export function withCrashNotice(outcome: Outcome): Outcome {
  const { envelope, notice } = outcome;
  if (!notice) return outcome;
  const notices = [...(envelope.notices ?? []), notice];
  if (!envelope.ok || !isHealthReport(envelope.data))
    return { ...outcome, envelope: { ...envelope, notices } };
  const report = envelope.data;
  const overall = report.overall === 'healthy' ? 'degraded' : report.overall;
  const data = { ...report, overall, notices: [...report.notices, notice] };
  return { ...outcome, envelope: { ...envelope, data, notices } };
}

/** Leaves the crash out of what the report lists, for who is told of it right below. The verdict stays. */
export function withoutCrashNotice(outcome: Outcome): Outcome {
  const { envelope, notice } = outcome;
  if (!notice || !envelope.ok || !isHealthReport(envelope.data)) return outcome;
  const notices = envelope.data.notices.filter((one) => one !== notice);
  return { ...outcome, envelope: { ...envelope, data: { ...envelope.data, notices } } };
}

function isHealthReport(data: unknown): data is HealthReport {
  const report = data as Partial<HealthReport> | null | undefined;
  return Array.isArray(report?.checks) && Array.isArray(report.notices) && typeof report.overall === 'string';
}
