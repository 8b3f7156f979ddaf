import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Line, paint, widthOf } from './line.js';
import { wrapLines } from './wrap.js';

const text = (lines: readonly Line[]) => paint(lines, { color: false });

describe('lines that are too wide', () => {
  it('are broken between words, and go on a little deeper', () => {
    expect(
      text(wrapLines([[['error', 'red'], ': the quick brown fox jumps'], ['  next: over the dog']], 16)),
    ).toBe('error: the quick\n  brown fox\n  jumps\n  next: over the\n    dog\n');
  });

  it('are broken within a word that fits nowhere', () => {
    expect(text(wrapLines([['see http://localhost:8080/health']], 24))).toBe(
      'see\n  http://localhost:8080/\n  health\n',
    );
  });

  it('are left alone where they fit', () => {
    const line: Line = ['fits   as it is', ['.', 'dim']];
    expect(wrapLines([line], 16)).toEqual([line]);
  });

  it('fit in the end, and nothing but blanks is lost', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', '語', 'é', '.'), minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(
        fc.array(word, { minLength: 1, maxLength: 20 }),
        fc.integer({ min: 10, max: 60 }),
        (words, columns) => {
          const lines = wrapLines([[words.join(' ')]], columns);
          for (const line of text(lines).split('\n')) expect(widthOf([line])).toBeLessThanOrEqual(columns);
          expect(text(lines).replace(/\s/g, '')).toBe(words.join(''));
        },
      ),
    );
  });
});
