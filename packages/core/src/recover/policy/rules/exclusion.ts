import { excluded, namesOf } from '../excluded.js';
import type { Rule, Self } from '../rule.js';

/** Refuses to touch argus itself and what the configuration keeps out of its reach. */
export const exclusion: Rule = {
  name: 'exclusion',
  liftedByApproval: false,
  refuse(step, { self, settings }) {
    const { target } = step;
    const kinship = kinshipOf(target, self);
    if (kinship !== undefined) return `excluded: ${target} ${kinship}`;
    return excluded(settings.exclude, namesOf(step));
  },
};

function kinshipOf(target: string, self: Self): string | undefined {
  if (target === `process:${self.pid}`) return 'is argus itself';
  if (target === `process:${self.parentPid}`) return 'is the process that started argus';
  return undefined;
}
