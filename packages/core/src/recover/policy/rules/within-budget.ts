import { formatDuration } from '../../../config/duration.js';
import { counted } from '../../../model/counted.js';
import type { Rule } from '../rule.js';
import { describeWindow } from './describe-window.js';

/** Refuses to repair one target over and over. To ask it is to take from the budget, so it is asked last. */
export const withinBudget: Rule = {
  name: 'budget',
  liftedByApproval: false,
  async refuse({ target }, { budget, settings }) {
    const { granted, used, freeIn } = await budget.take(target);
    if (granted) return undefined;
    const { max, per } = settings.budget;
    const spent = `${used} of ${counted(max, 'repair')} of ${target} used in the last ${describeWindow(per)}`;
    return `budget: ${spent}; ${wayOut(freeIn)}`;
  },
};

/** What helps: to wait, or another limit. */
function wayOut(freeIn: number | undefined): string {
  if (freeIn === undefined) return 'policy.budget allows none';
  return `the next is allowed in ${formatDuration(freeIn)}, or with a larger policy.budget`;
}
