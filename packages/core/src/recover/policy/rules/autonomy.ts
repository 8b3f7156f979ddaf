import type { Risk } from '../../../model/recoverer.js';
import type { Rule } from '../rule.js';
import type { Autonomy } from '../settings.js';

const allowedRisks: Record<Autonomy, readonly Risk[]> = {
  observe: [],
  cautious: ['safe'],
  moderate: ['safe', 'disruptive'],
  full: ['safe', 'disruptive', 'destructive'],
};

/** Refuses what costs more than argus may risk by itself. */
export const autonomy: Rule = {
  name: 'autonomy',
  liftedByApproval: true,
  refuse({ risk }, { settings: { autonomy: level } }) {
    if (allowedRisks[level].includes(risk)) return undefined;
    return level === 'observe' ? 'autonomy: observe' : `autonomy: ${level} does not allow ${risk} repairs`;
  },
};
