import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nearest } from './nearest.js';

describe('nearest', () => {
  it.each([
    ['disk.spac', ['disk.space', 'disk.inodes'], 'disk.space'],
    ['treshold', ['threshold', 'paths'], 'threshold'],
    ['Docker', ['docker', 'disk'], 'docker'],
    ['zebra', ['docker', 'disk'], undefined],
    ['anything', [], undefined],
  ])('finds what %s was meant to be among %j', (word, known, expected) => {
    expect(nearest(word, known)).toBe(expected);
  });

  it('finds a word that is known', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1 }), (known) => {
        const word = known[0] ?? '';
        expect(nearest(word, known)?.toLowerCase()).toBe(word.toLowerCase());
      }),
    );
  });
});
