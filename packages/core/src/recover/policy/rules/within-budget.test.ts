import { describe, expect, it } from 'vitest';
import { circumstances, proposal } from '../fixtures/circumstances.js';
import { withinBudget } from './within-budget.js';

describe('the budget rule', () => {
  it('takes from the budget of the target and has no objection when it was granted', async () => {
    const asked: string[] = [];
    const take = async (target: string) => {
      asked.push(target);
      return { granted: true, used: 1 };
    };
    const about = proposal({ target: 'container:api' });
    expect(await withinBudget.refuse(about, circumstances({ budget: { take } }))).toBeUndefined();
    expect(asked).toEqual(['container:api']);
  });

  it('says how much of the budget is used in which time, when there is more, and where that is set', async () => {
    const given = circumstances({
      settings: { budget: { max: 2, per: 3_600_000 } },
      budget: { take: async () => ({ granted: false, used: 2, freeIn: 2_592_000 }) },
    });
    expect(await withinBudget.refuse(proposal({ target: 'container:api' }), given)).toBe(
      'budget: 2 of 2 repairs of container:api used in the last hour; the next is allowed in 43m12s, or with a larger policy.budget',
    );
  });

  it('names what allows no repair at all', async () => {
    const given = circumstances({
      settings: { budget: { max: 0, per: 3_600_000 } },
      budget: { take: async () => ({ granted: false, used: 0 }) },
    });
    expect(await withinBudget.refuse(proposal({ target: 'container:api' }), given)).toBe(
      'budget: 0 of 0 repairs of container:api used in the last hour; policy.budget allows none',
    );
  });

  it('holds for approved plans too', () => {
    expect(withinBudget.liftedByApproval).toBe(false);
  });
});
