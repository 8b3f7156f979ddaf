import type { HealthCheckResult } from '../../../model/check-result.js';
import type { Rule } from '../rule.js';

/**
 * Refuses to interrupt anything while many things fail at once: that has one cause somewhere below them, and
 * restarting them one by one would only add to it.
 */
export const correlated: Rule = {
  name: 'correlated',
  liftedByApproval: true,
  refuse({ risk }, { failing, settings: { correlatedFailures: limit } }) {
    if (risk === 'safe') return undefined;
    if (failing < limit) return undefined;
    const targets = failing === 1 ? '1 target fails' : `${failing} targets fail`;
    return `correlated failures: ${targets} at once (limit ${limit}); this looks like one infrastructure event`;
  },
};

/** How many things fail. Three checks that fail on one service are one thing that fails; a check without a target stands for itself. */
export function failingTargets(checks: readonly HealthCheckResult[]): number {
  const failing = checks.filter(({ status }) => status === 'fail');
  return new Set(failing.map(({ name, target }) => target ?? name)).size;
}
