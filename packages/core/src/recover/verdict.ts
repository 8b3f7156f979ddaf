import type { CheckStatus, HealthCheckResult } from '../model/check-result.js';
import { groupBy } from '../model/group-by.js';
import type { FindingReference } from '../model/recovery-plan.js';
import type { Verdict } from '../model/recovery-report.js';

/** Judges repairs by the checks before and after them. What could not be looked at afterwards has not recovered. */
export function verdictsBetween(
  before: readonly HealthCheckResult[],
  after: readonly HealthCheckResult[],
): (findings: readonly FindingReference[]) => Verdict {
  const earlier = indexed(before);
  const isAnyWorse = after.some((result) => isWorse(result, earlier));
  const resolved = resolvedIn(after);
  return (findings) => {
    if (isAnyWorse) return 'worse';
    return findings.every(resolved) ? 'recovered' : 'ineffective';
  };
}

/** Tells whether a problem is gone: its thing passes, or its checker looked and no longer has it on its list. */
export function resolvedIn(after: readonly HealthCheckResult[]): (finding: FindingReference) => boolean {
  const results = indexed(after);
  return (finding) => {
    const own = results.of(finding.check, finding.target);
    if (own.length > 0) return own.every((result) => result.status === 'pass' || isNothingToLookAt(result));
    return results.hasLooked(finding.check);
  };
}

type HealthIndex = ReturnType<typeof indexed>;

/** Results found by checker and thing, without going through all of them for each. */
function indexed(checks: readonly HealthCheckResult[]) {
  const checkers = [...groupBy(checks, ({ name }) => name)];
  const things = new Map(checkers.map(([name, results]) => [name, groupBy(results, ({ target }) => target)]));
  const looked = new Set(checkers.flatMap(([name, results]) => (results.every(hasLooked) ? [name] : [])));
  return {
    /** The results for one thing: one, unless a checker names a thing twice. */
    of: (name: string, target: string | undefined) => things.get(name)?.get(target) ?? [],
    /** Whether every result of a checker says something. */
    hasLooked: (name: string) => looked.has(name),
  };
}

/** Whether a thing is in a worse state than before. What was not looked at before cannot be compared. */
function isWorse({ name, target, status }: HealthCheckResult, before: HealthIndex): boolean {
  const now = ranks[status] ?? 0;
  const same = before.of(name, target);
  // A checker should name a thing once. Of one that does not, the worst counts.
  const then = Math.max(...same.map((result) => ranks[result.status] ?? Number.POSITIVE_INFINITY));
  return same.length > 0 ? then < now : before.hasLooked(name) && now > 0;
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
