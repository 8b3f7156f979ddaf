import type { Rule } from '../rule.js';

/** Refuses what is destructive where nobody was there to agree to it, such as in a tool call that no person was asked about. */
export const unasked: Rule = {
  name: 'unasked',
  liftedByApproval: true,
  refuse: ({ risk }, { mode }) =>
    mode === 'unattended' && risk === 'destructive'
      ? 'unasked: it is destructive and nobody has agreed to it; plan-recovery shows it, apply-recovery carries it out after a yes'
      : undefined,
};
