import type { RecoveryStep } from '../../model/recoverer.js';
import { matchesPattern } from './rules/matches-pattern.js';

/** The names that a configuration may exclude a step's resource by: its own, and that of the service it is or belongs to. */
export function namesOf({ target, service }: Pick<RecoveryStep, 'target' | 'service'>): string[] {
  return [target, ...(service === undefined ? [] : [`service:${service}`])];
}

/** Says by which pattern a thing is kept out of reach, under any of its names; nothing when it is not. */
export function excluded(exclude: readonly string[], names: readonly string[]): string | undefined {
  for (const name of names) {
    const pattern = exclude.find((candidate) => matchesPattern(name, candidate));
    if (pattern !== undefined) return `excluded: ${name} matches ${pattern}`;
  }
  return undefined;
}
