import type { HealthCheckResult } from './check-result.js';
import { storeUnavailable } from './core-error-codes.js';
import type { StructuredError } from './error-code.js';
import type { JsonObject } from './json.js';

/** The verdict on the whole: `unhealthy` with any `fail`, `degraded` with any `warn` or `unknown`. */
export type OverallHealth = 'healthy' | 'degraded' | 'unhealthy';

/** What a check of the whole environment found. */
export interface HealthReport {
  project: string;
  overall: OverallHealth;
  checks: HealthCheckResult[];
  /** Milliseconds since the epoch, when the check began. */
  timestamp: number;
  /** Milliseconds. */
  duration: number;
  /** What went wrong beside the checks, such as a state store that could not be written. */
  notices: StructuredError[];
  /** What plugins added through the `report` hook, by plugin. */
  additions: JsonObject;
}

/** Derives the verdict from the results. Without the store nobody knows what runs here, so that is not healthy either. */
export function overallOf(
  checks: readonly Pick<HealthCheckResult, 'status'>[],
  notices: readonly Pick<StructuredError, 'code'>[] = [],
): OverallHealth {
  if (checks.some(({ status }) => status === 'fail')) return 'unhealthy';
  if (checks.some(({ status }) => status === 'warn' || status === 'unknown')) return 'degraded';
  if (notices.some(isBlinding)) return 'degraded';
  return 'healthy';
}

/** Whether a notice says that something could not be looked at. */
export function isBlinding({ code }: Pick<StructuredError, 'code'>): boolean {
  return code === storeUnavailable.code;
}
