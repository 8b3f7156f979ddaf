import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LastLines, lastLinesOf } from './last-lines.js';

describe('the last lines', () => {
  it('are all while they are few', () => {
    expect(lastLinesOf('one\ntwo\n', 10)).toBe('one\ntwo\n');
    expect(lastLinesOf('', 10)).toBe('');
  });

  it('are whole, and of one that is too long its length', () => {
    expect(lastLinesOf('one\ntwo\nthree', 9)).toBe('one\ntwo\nthree');
    expect(lastLinesOf('one\ntwo\nthree\n', 10)).toBe('two\nthree\n');
    expect(lastLinesOf(`one\n${'x'.repeat(30)}\ntwo`, 10)).toBe('(a line of 30 characters is left out)\ntwo');
  });

  it('are the same however they come', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '\n'), maxLength: 60 });
    fc.assert(
      fc.property(
        text,
        fc.integer({ min: 1, max: 20 }),
        fc.integer({ min: 1, max: 9 }),
        (all, limit, size) => {
          const lines = new LastLines(limit);
          for (let at = 0; at < all.length; at += size) lines.add(all.slice(at, at + size));
          expect(String(lines)).toBe(lastLinesOf(all, limit));
        },
      ),
    );
  });
});
