import { createHash } from 'node:crypto';
import { type Json, toJson } from '../model/json.js';
import type { PlannedStep } from '../model/recovery-plan.js';

/** Names a plan by its content: the same steps in the same order have the same hash. Nothing to do has none. */
export function hashOf(project: string, steps: readonly PlannedStep[]): string | null {
  if (steps.length === 0) return null;
  const content = canonical(toJson({ project, steps }));
  return createHash('sha256').update(content).digest('hex').slice(0, 16);
}

/** JSON with sorted keys, so that the order in which a plugin builds its objects does not matter. */
function canonical(value: Json | undefined): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonical(item)}`).join(',')}}`;
}
