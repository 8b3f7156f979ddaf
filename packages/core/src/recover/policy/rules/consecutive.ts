import type { Rule } from '../rule.js';

/** Refuses to interrupt anything for a problem that may be gone at the next look. */
export const consecutive: Rule = {
  name: 'consecutive',
  liftedByApproval: true,
  async refuse({ risk, findings }, { failuresOf, settings: { consecutiveFailures: needed } }) {
    if (risk === 'safe') return undefined;
    const counts = await failuresOf(findings);
    // The newest problem decides: a step that answers several must not be taken for one that has just come up.
    const fewest = counts.length === 0 ? 0 : Math.min(...counts);
    return fewest >= needed ? undefined : `consecutive failures: ${fewest} of ${needed}`;
  },
};
