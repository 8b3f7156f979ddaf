import { expect, it } from 'vitest';
import { problem, repaired } from '../fixtures/check-outcome.js';
import { describeRepair } from './describe-repair.js';

it('says what became of a repair, and why nothing did', () => {
  const [step] = repaired().steps;
  if (!step) throw new Error('there is no step');
  const { verdict: _, ...unproved } = step;
  const refusal = { rule: 'autonomy', reason: 'not alone' };
  expect([
    describeRepair(step),
    describeRepair(unproved),
    describeRepair({ ...unproved, outcome: 'refused', refusal }),
    describeRepair({ ...unproved, outcome: 'failed', error: problem('it is stuck') }),
  ]).toEqual([
    'fill thing:1: recovered',
    'fill thing:1: applied',
    'fill thing:1: refused by autonomy: not alone',
    'fill thing:1: failed: it is stuck',
  ]);
});
