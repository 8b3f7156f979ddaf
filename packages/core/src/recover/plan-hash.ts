import { createHash } from 'node:crypto';
import { canonicalJson } from '../model/canonical-json.js';
import type { PlannedStep } from '../model/recovery-plan.js';

/** Names a plan by its content: the same steps in the same order have the same hash. Nothing to do has none. */
export function hashOf(project: string, steps: readonly PlannedStep[]): string | null {
  if (steps.length === 0) return null;
  return createHash('sha256').update(canonicalJson({ project, steps })).digest('hex').slice(0, 16);
}
