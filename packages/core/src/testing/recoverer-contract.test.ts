import { describe, expect, it } from 'vitest';
import { complaintsOf } from './describe-trials.js';
import { lockChecker } from './fixtures/good-plugin/lock-checker.js';
import { lockRemover } from './fixtures/good-plugin/lock-remover.js';
import { locksLeft } from './fixtures/good-plugin/scenarios.js';
import { describeRecoverer, trialsOfRecoverer } from './recoverer-contract.js';
import type { Scenario } from './scenario.js';

/** The scenario with the folder as that of the project: the parts of a plugin have no options. */
function locksLeftInProject(): Scenario {
  const scenario = locksLeft();
  return {
    ...scenario,
    async prepare() {
      const { dir } = ((await scenario.prepare?.()) as { options: { dir: string } }).options;
      return { dir };
    },
  };
}

describeRecoverer(lockRemover('.'), { checkers: [lockChecker('.')], scenarios: [locksLeftInProject()] });

describe('the recoverer suite', () => {
  it('says so when no checker finds the problem', async () => {
    const complaints = await complaintsOf(
      trialsOfRecoverer(lockRemover('.'), {
        checkers: [lockChecker('.')],
        scenarios: [{ name: 'nothing wrong at all' }],
      }),
    );
    expect(complaints).toEqual([
      {
        rule: 'has a plan for the problem',
        scenario: 'nothing wrong at all',
        complaint: 'no check found a problem that locks.remove handles',
      },
    ]);
  });
});
