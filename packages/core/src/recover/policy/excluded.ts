import { matchesPattern } from './rules/matches-pattern.js';

/** Says by which pattern a thing is kept out of reach, under any of its names; nothing when it is not. */
export function excluded(exclude: readonly string[], names: readonly string[]): string | undefined {
  for (const name of names) {
    const pattern = exclude.find((candidate) => matchesPattern(name, candidate));
    if (pattern !== undefined) return `excluded: ${name} matches ${pattern}`;
  }
  return undefined;
}
