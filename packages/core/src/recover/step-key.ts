import type { PlannedStep } from '../model/recovery-plan.js';

/** What tells one step of a plan from the others: a recoverer plans no two for one target. */
export function keyOf({ recoverer, target, action }: PlannedStep): string {
  return JSON.stringify([recoverer, target, action]);
}
