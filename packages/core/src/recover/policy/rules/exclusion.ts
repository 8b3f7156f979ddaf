import type { Rule, Self } from '../rule.js';
import { matchesPattern } from './matches-pattern.js';

/** Refuses to touch argus itself and what the configuration keeps out of its reach. */
export const exclusion: Rule = {
  name: 'exclusion',
  liftedByApproval: false,
  refuse({ target }, { self, settings }) {
    const kinship = kinshipOf(target, self);
    if (kinship !== undefined) return `excluded: ${target} ${kinship}`;
    const pattern = settings.exclude.find((candidate) => matchesPattern(target, candidate));
    return pattern === undefined ? undefined : `excluded: ${target} matches ${pattern}`;
  },
};

function kinshipOf(target: string, self: Self): string | undefined {
  if (target === `process:${self.pid}`) return 'is argus itself';
  if (target === `process:${self.parentPid}`) return 'is the process that started argus';
  return undefined;
}
