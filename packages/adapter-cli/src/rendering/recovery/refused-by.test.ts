import { expect, it } from 'vitest';
import { refusedBy } from './refused-by.js';

it('names the rule once', () => {
  expect(refusedBy({ rule: 'budget', reason: 'budget: 2 of 2 repairs' })).toBe('by budget: 2 of 2 repairs');
  expect(refusedBy({ rule: 'exclusion', reason: 'excluded: x' })).toBe('by exclusion: excluded: x');
});
