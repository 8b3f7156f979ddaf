import type { HealthReport } from '../model/health-report.js';
import type { Finding, Recoverer } from '../model/recoverer.js';
import type { FindingReference } from '../model/recovery-plan.js';

/** The problems in a report. A check that broke found nothing, so it is none. */
export function findingsOf({ checks }: Pick<HealthReport, 'checks'>): Finding[] {
  return checks.flatMap((check) =>
    check.error && (check.status === 'warn' || check.status === 'fail')
      ? [{ check, error: check.error }]
      : [],
  );
}

/** Whether a recoverer handles a problem. */
export function handledBy({ handles }: Recoverer, { error }: Finding): boolean {
  return handles.some(({ code }) => code === error.code);
}

/** How a plan names a problem. */
export function referenceTo({ check, error }: Finding): FindingReference {
  const target = check.target === undefined ? {} : { target: check.target };
  return { check: check.name, ...target, code: error.code };
}
