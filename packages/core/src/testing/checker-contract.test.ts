import { describe, expect, it } from 'vitest';
import { checking } from './build-kernel.js';
import { describeChecker, trialsOfChecker } from './checker-contract.js';
import { complaintsOf, hold } from './describe-trials.js';
import { badThing } from './fixtures/bad-plugin.js';
import { leftLock } from './fixtures/good-plugin/left-lock.js';
import { lockChecker } from './fixtures/good-plugin/lock-checker.js';
import { serverChecker } from './fixtures/good-plugin/server-checker.js';

describeChecker(lockChecker('.'), { codes: [leftLock] });
describeChecker(serverChecker(undefined));

const failing = checking('bad.thing', ({ fail }) => fail(badThing, { message: 'bad' }));

describe('the checker suite', () => {
  it('needs to know the codes that the checker raises', async () => {
    expect(await complaintsOf(trialsOfChecker(failing))).toEqual([
      {
        rule: 'raises only codes that are declared',
        scenario: 'as things are',
        complaint: 'bad.thing: raises BAD_THING, which no loaded plugin declares',
      },
    ]);
    expect(await complaintsOf(trialsOfChecker(failing, { codes: [badThing] }))).toEqual([]);
  });

  it('loads the checkers that the checker requires, and says nothing about what was not run', async () => {
    const dependent = checking('bad.other', () => 'rubbish' as never, { requires: ['bad.thing'] });
    expect(
      await complaintsOf(trialsOfChecker(dependent, { codes: [badThing], requires: [failing] })),
    ).toEqual([]);
  });

  it('fails a test with the complaint and the reason for the rule', async () => {
    const trial = trialsOfChecker(failing).find(
      ({ rule }) => rule.name === 'raises only codes that are declared',
    );
    await expect(trial && hold(trial)).rejects.toThrow(
      /raises BAD_THING.*\nWhy it matters: programs act on codes/,
    );
  });

  it('takes the scenario away after a rule that was broken, and after one that broke', async () => {
    const scenario = (prepare: () => undefined, cleaned: string[]) => ({
      name: 'a mess',
      prepare,
      cleanup: () => void cleaned.push('cleaned'),
    });
    const calls: string[] = [];
    const messy = scenario(() => {
      throw new Error('no room');
    }, calls);
    const complaints = await complaintsOf(
      trialsOfChecker(failing, { codes: [badThing], scenarios: [messy] }),
    );
    expect(complaints.map(({ complaint }) => complaint)).toEqual(calls.map(() => 'no room'));
    expect(calls.length).toBeGreaterThan(0);
  });
});
