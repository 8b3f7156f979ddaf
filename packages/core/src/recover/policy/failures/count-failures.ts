import type { HealthCheckResult } from '../../../model/check-result.js';
import { checkerOf, findingKey } from './finding-key.js';

/** For how many check runs in a row each problem has been there, by its key: the document in the store. */
export type FailureCounts = { [finding: string]: number };

/**
 * Counts one more check run. A problem that was found again counts up. One that a checker did not find again is
 * forgotten, also when the checker no longer speaks of that target at all. Where a checker did not run or could
 * not tell, nothing is known and the count stays. Gives back the very object it was given when nothing changes.
 */
export function countFailures(counts: FailureCounts, checks: readonly HealthCheckResult[]): FailureCounts {
  const found = new Set(checks.filter(isProblem).map(keyOf));
  const unclear = new Set(checks.filter(isUnclear).map(keyOf));
  const answered = new Set(checks.filter((check) => !isUnclear(check)).map(({ name }) => name));

  const past = Object.entries(counts);
  const kept = past.filter(([key]) => found.has(key) || unclear.has(key) || !answered.has(checkerOf(key)));
  if (found.size === 0 && kept.length === past.length) return counts;

  const next = new Map(kept);
  for (const key of found) next.set(key, (next.get(key) ?? 0) + 1);
  return Object.fromEntries(next);
}

function isProblem({ status }: HealthCheckResult): boolean {
  return status === 'warn' || status === 'fail';
}

function isUnclear({ status }: HealthCheckResult): boolean {
  return status === 'unknown' || status === 'skipped';
}

function keyOf({ name, target }: HealthCheckResult): string {
  return findingKey({ check: name, ...(target !== undefined && { target }) });
}
