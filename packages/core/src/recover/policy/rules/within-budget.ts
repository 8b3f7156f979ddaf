import { counted } from '../../../model/counted.js';
import type { Rule } from '../rule.js';
import { describeWindow } from './describe-window.js';

/** Refuses to repair one target over and over. To ask it is to take from the budget, so it is asked last. */
export const withinBudget: Rule = {
  name: 'budget',
  liftedByApproval: false,
  async refuse({ target }, { budget, settings }) {
    const { granted, used } = await budget.take(target);
    if (granted) return undefined;
    const { max, per } = settings.budget;
    return `budget: ${used} of ${counted(max, 'repair')} of ${target} used in the last ${describeWindow(per)}`;
  },
};
