import { describe, expect, it } from 'vitest';
import type { ApplyContext } from '../model/recoverer.js';
import { checking, registering } from './build-kernel.js';
import { complaintsOf } from './describe-trials.js';
import locks from './fixtures/good-plugin/index.js';
import { leftLock } from './fixtures/good-plugin/left-lock.js';
import { lockChecker } from './fixtures/good-plugin/lock-checker.js';
import { lockRemover } from './fixtures/good-plugin/lock-remover.js';
import { locksLeft } from './fixtures/good-plugin/scenarios.js';
import { trialsOfPlugin } from './plugin-contract.js';
import { describeRecoverer, trialsOfRecoverer } from './recoverer-contract.js';
import type { Scenario } from './scenario.js';
import { withoutStrangers } from './without-strangers.js';

// The parts of a plugin have no options, so the folder is that of the project.
describeRecoverer(lockRemover('.'), {
  checkers: [lockChecker('.')],
  scenarios: [locksLeft((dir) => ({ dir }))],
});

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

  it('says so when a scenario names a recoverer that is not there', async () => {
    const scenarios = [{ ...locksLeft((dir) => ({ options: { dir } })), repairedBy: 'locks.remvoe' }];
    const complaints = await complaintsOf(trialsOfPlugin(locks, { scenarios }));
    expect(new Set(complaints.map(({ complaint }) => complaint))).toEqual(
      new Set([
        'no scenario is repaired by locks.remove',
        'There is no recoverer called locks.remvoe; there are: locks.remove',
      ]),
    );
  });

  it('goes by the checkers of another plugin when they find the problem', async () => {
    const finder = registering('finder', {
      codes: [withoutStrangers(leftLock, 'locks')],
      checkers: [checking('finder.locks', lockChecker('.').check)],
    });
    const scenarios: [Scenario] = [locksLeft((dir) => ({ dir }))];
    const suite = { plugins: [finder], codes: [], scenarios };
    expect(await complaintsOf(trialsOfRecoverer(lockRemover('.'), suite))).toEqual([]);
  });

  it('says that a repair made something else worse', async () => {
    let intact = true;
    const other = checking('locks.other', ({ pass, fail }) =>
      intact ? pass('fine') : fail(leftLock, { message: 'gone', details: { file: 'x' } }),
    );
    const good = lockRemover('.');
    const clumsy = {
      ...good,
      async apply(context: ApplyContext) {
        await good.apply(context);
        if (context.steps.length > 0) intact = false;
      },
    };
    const scenario = locksLeft((dir) => ({ dir }));
    const cleanup = async () => {
      intact = true;
      await scenario.cleanup?.();
    };
    const complaints = await complaintsOf(
      trialsOfRecoverer(clumsy, {
        checkers: [lockChecker('.'), other],
        scenarios: [{ ...scenario, cleanup }],
      }),
    );
    expect(complaints).toEqual([
      {
        rule: 'repairs what it planned to repair',
        scenario: 'two locks that nobody holds',
        complaint: 'locks.remove was applied and the verdict is worse',
      },
    ]);
  });
});
