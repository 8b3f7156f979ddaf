import type { Risk } from '../../../model/recoverer.js';
import { allowedRisks } from '../allowed-risks.js';
import type { Rule } from '../rule.js';
import type { Autonomy } from '../settings.js';

/** Refuses what costs more than argus may risk by itself. */
export const autonomy: Rule = {
  name: 'autonomy',
  liftedByApproval: true,
  refuse: ({ risk }, { settings }) => tooRisky(settings.autonomy, risk),
};

/** Says that something is more than argus may risk by itself; nothing when it is not. */
export function tooRisky(level: Autonomy, risk: Risk): string | undefined {
  if (allowedRisks[level].includes(risk)) return undefined;
  return level === 'observe' ? 'autonomy: observe' : `autonomy: ${level} does not allow ${risk} repairs`;
}
