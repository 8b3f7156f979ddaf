import type { CheckStatus, HealthCheckResult } from '../model/check-result.js';
import type { FindingReference } from '../model/recovery-plan.js';
import type { Verdict } from '../model/recovery-report.js';
import { resultsFor } from './findings.js';

/** Judges a repair by the checks before and after it. What could not be looked at afterwards has not recovered. */
export function verdictOf(
  findings: readonly FindingReference[],
  before: readonly HealthCheckResult[],
  after: readonly HealthCheckResult[],
): Verdict {
  if (after.some((result) => isWorse(result, before))) return 'worse';
  return findings.every((finding) => isResolved(finding, after)) ? 'recovered' : 'ineffective';
}

/** Whether a problem is gone: its thing passes, or its checker looked and no longer has it on its list. */
export function isResolved(finding: FindingReference, after: readonly HealthCheckResult[]): boolean {
  const results = resultsFor(after, finding);
  if (results.length > 0)
    return results.every((result) => result.status === 'pass' || isNothingToLookAt(result));
  const others = after.filter(({ name }) => name === finding.check);
  return others.length > 0 && others.every(hasLooked);
}

/** Whether a thing is in a worse state than before. What was not looked at before cannot be compared. */
function isWorse(result: HealthCheckResult, before: readonly HealthCheckResult[]): boolean {
  const now = ranks[result.status];
  const same = before.filter(({ name, target }) => name === result.name && target === result.target);
  // A checker should name a thing once. Of one that does not, the worst counts.
  const then = Math.max(...same.map(({ status }) => ranks[status] ?? Number.POSITIVE_INFINITY));
  if (same.length > 0) return then < (now ?? 0);
  const earlier = before.filter(({ name }) => name === result.name);
  return earlier.length > 0 && earlier.every(hasLooked) && (now ?? 0) > 0;
}

/** How bad a status is; the others say nothing about the thing. */
const ranks: Partial<Record<CheckStatus, number>> = { pass: 0, warn: 1, fail: 2 };

function hasLooked(result: HealthCheckResult): boolean {
  return result.status in ranks || isNothingToLookAt(result);
}

/** A checker that says that there is nothing to look at, as opposed to one that was kept from looking. */
function isNothingToLookAt({ status, causedBy }: HealthCheckResult): boolean {
  return status === 'skipped' && causedBy === undefined;
}
