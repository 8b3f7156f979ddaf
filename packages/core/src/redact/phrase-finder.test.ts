import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createPhraseFinder } from './phrase-finder.js';

const letters = (minLength: number, maxLength: number) =>
  fc.string({ unit: fc.constantFrom('a', 'b', 'C', 'ü'), minLength, maxLength });

describe('a phrase finder', () => {
  it('finds what a plain search finds', () => {
    fc.assert(
      fc.property(fc.array(letters(2, 5), { maxLength: 5 }), letters(0, 40), (phrases, text) => {
        const finder = createPhraseFinder(phrases);
        expect(finder.occursIn(text)).toBe(phrases.some((phrase) => text.includes(phrase)));
        const covered = new Set<number>();
        for (const phrase of phrases) {
          for (let at = text.indexOf(phrase); at >= 0; at = text.indexOf(phrase, at + 1)) {
            for (let index = at; index < at + phrase.length; index++) covered.add(index);
          }
        }
        const found = finder
          .spansIn(text)
          .flatMap(({ start, end }) => [...Array(end - start).keys()].map((at) => start + at));
        expect(found).toEqual([...covered].sort((one, other) => one - other));
      }),
      { numRuns: 1_000 },
    );
  });

  it('ignores case when asked to', () => {
    fc.assert(
      fc.property(fc.array(letters(2, 4), { maxLength: 4 }), letters(0, 30), (phrases, text) => {
        const lower = text.toLowerCase();
        const finder = createPhraseFinder(phrases, { ignoreCase: true });
        expect(finder.occursIn(text)).toBe(phrases.some((phrase) => lower.includes(phrase.toLowerCase())));
      }),
    );
  });

  it('finds nothing when there is nothing to find', () => {
    expect(createPhraseFinder([]).occursIn('anything')).toBe(false);
    expect(createPhraseFinder([]).spansIn('anything')).toEqual([]);
  });
});
