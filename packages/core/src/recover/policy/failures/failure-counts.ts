import type { HealthCheckResult } from '../../../model/check-result.js';
import type { StateStore } from '../../../state/state-store.js';
import { updateDocument } from '../../../state/update-document.js';
import { countFailures, type FailureCounts } from './count-failures.js';
import { checkerOf, type FindingName, findingKey } from './finding-key.js';

// One document for each project.
const namespace = 'failures';

/** Records what a check run found, so that it is known for how many runs in a row each problem has been there. */
export async function recordCheckRun(
  store: StateStore,
  project: string,
  checks: readonly HealthCheckResult[],
): Promise<void> {
  await change(store, project, (counts) => countFailures(counts, checks));
}

/** Records that problems were solved: if one of them comes back, it is counted from the start. */
export async function recordRecovered(
  store: StateStore,
  project: string,
  findings: readonly FindingName[],
): Promise<void> {
  const solved = new Set(findings.map(findingKey));
  await change(store, project, (counts) => {
    const past = Object.entries(counts);
    const left = past.filter(([key]) => !solved.has(key));
    return left.length === past.length ? counts : Object.fromEntries(left);
  });
}

/**
 * Records what a look after a repair found: problems that are gone are counted from the start when they come back. What is still there
 * keeps its count, because nobody has waited for another run.
 */
export async function recordReCheck(
  store: StateStore,
  project: string,
  checks: readonly HealthCheckResult[],
): Promise<void> {
  await change(store, project, (counts) => {
    const still = countFailures(counts, checks);
    const past = Object.entries(counts);
    const left = past.filter(([key]) => Object.hasOwn(still, key));
    return left.length === past.length ? counts : Object.fromEntries(left);
  });
}

/** The checkers that have found something in the last check run that they could. */
export async function checkersWithFailures(store: StateStore, project: string): Promise<ReadonlySet<string>> {
  const counts = ((await store.get(namespace, project))?.value ?? {}) as FailureCounts;
  return new Set(Object.keys(counts).map(checkerOf));
}

/** Tells for how many check runs in a row a problem has been there. */
export async function failureCounts(
  store: StateStore,
  project: string,
): Promise<(finding: FindingName) => number> {
  const document = await store.get(namespace, project);
  const counts = new Map(Object.entries((document?.value ?? {}) as FailureCounts));
  return (finding) => counts.get(findingKey(finding)) ?? 0;
}

/**
 * Writes only when something changes, so that a check of a healthy project does no more than read. With the last count the
 * document goes too: a store answers fastest about what is not there.
 */
async function change(
  store: StateStore,
  project: string,
  next: (counts: FailureCounts) => FailureCounts,
): Promise<void> {
  const document = await updateDocument(store, namespace, project, (current) => {
    const counts = (current ?? {}) as FailureCounts;
    const changed = next(counts);
    return changed === counts ? undefined : changed;
  });
  if (!document || Object.keys(document.value as FailureCounts).length > 0) return;
  // When somebody has counted anew meanwhile, it stays.
  await store.delete(namespace, project, { ifRevision: document.revision });
}
