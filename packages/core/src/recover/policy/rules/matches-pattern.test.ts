import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matchesPattern } from './matches-pattern.js';

describe('a pattern', () => {
  it.each([
    ['container:api', 'container:api', true],
    ['container:api', 'container:ap', false],
    ['container:api', 'container:*', true],
    ['container:api', '*:api', true],
    ['container:api', '*', true],
    ['', '*', true],
    ['container:api', 'c*:*i', true],
    ['container:api', 'c*:*x*i', false],
    ['container:api', 'volume:*', false],
    ['aba', 'ab*ba', false],
    ['abba', 'ab*ba', true],
    ['abcabc', '*c*c', true],
    ['abc', '*c*c', false],
    ['path:/tmp/a/b', 'path:/tmp/*', true],
    ['process:12', 'process:.*', false],
    ['container:api', '', false],
  ])('%j against %j is %j', (text, pattern, expected) => {
    expect(matchesPattern(text, pattern)).toBe(expected);
  });

  it('means the same as the regular expression with .* for each star', () => {
    const letters = fc.constantFrom('a', 'b', '.', '\n');
    const text = fc.array(letters, { maxLength: 8 }).map((parts) => parts.join(''));
    const pattern = fc
      .array(fc.oneof(letters, fc.constant('*')), { maxLength: 6 })
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, pattern, (some, like) => {
        const escaped = like.replaceAll('.', '\\.').replaceAll('*', '.*');
        expect(matchesPattern(some, like)).toBe(new RegExp(`^${escaped}$`, 's').test(some));
      }),
      { numRuns: 1000 },
    );
  });
});
