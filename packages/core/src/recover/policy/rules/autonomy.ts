import { allowedRisks } from '../allowed-risks.js';
import type { Rule } from '../rule.js';

/** Refuses what costs more than argus may risk by itself. */
export const autonomy: Rule = {
  name: 'autonomy',
  liftedByApproval: true,
  refuse({ risk }, { settings: { autonomy: level } }) {
    if (allowedRisks[level].includes(risk)) return undefined;
    return level === 'observe' ? 'autonomy: observe' : `autonomy: ${level} does not allow ${risk} repairs`;
  },
};
