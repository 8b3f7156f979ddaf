import { runChecks } from '../check/run-checks.js';
import type { Kernel } from '../kernel/kernel.js';
import { checkersWithFailures, recordReCheck } from './policy/failures/failure-counts.js';

/**
 * Looks again, after a setup, at what was found wrong with its run before: a setup replaces what has crashed, and what that has
 * solved counts from the start. Only what was found before is looked at, so a setup of something healthy takes no longer.
 */
export async function forgetSolved(kernel: Kernel, signal: AbortSignal): Promise<void> {
  const { store, project, checkers } = kernel;
  try {
    const counted = await checkersWithFailures(store, project.name);
    const only = checkers.values().flatMap(({ name, ofRun }) => (ofRun && counted.has(name) ? [name] : []));
    if (only.length === 0) return;
    const { checks } = await runChecks(kernel, { only, signal });
    await recordReCheck(store, project.name, checks);
  } catch {
    // The environment is up all the same; the next check counts, and until then a repair is only more careful than it need be.
  }
}
