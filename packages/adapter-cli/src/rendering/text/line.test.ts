import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cut, paint, textWidth, widthOf } from './line.js';

describe('paint', () => {
  it('colours only when asked to', () => {
    expect(paint([[['good', 'green'], ' news']], { color: true })).toBe('\x1b[32mgood\x1b[39m news\n');
    expect(paint([[['good', 'green'], ' news  ']], { color: false })).toBe('good news\n');
  });

  it('never lets a text move the cursor', () => {
    expect(paint([['a\nb\x1b[2Jc\x1b]0;title\x07d\te\x9bf']], { color: false })).toBe('a bcd e\n');
  });
});

describe('cut', () => {
  it('leaves alone what fits', () => {
    expect(cut(['abc', ['def', 'red']], 6)).toEqual(['abc', ['def', 'red']]);
  });

  it('shows that something is missing', () => {
    expect(cut(['abc', ['def', 'red']], 5)).toEqual(['abc', ['d', 'red'], '…']);
    expect(cut(['abc'], 1)).toEqual(['', '…']);
    expect(cut(['abc'], 0)).toEqual([]);
  });

  it('never takes more columns than there are', () => {
    const spans = fc.array(fc.string({ unit: 'grapheme' }));
    fc.assert(
      fc.property(spans, fc.nat(30), (line, columns) => {
        expect(widthOf(cut(line, columns))).toBeLessThanOrEqual(columns);
      }),
    );
  });
});

describe('textWidth', () => {
  it('knows wide characters, emoji and marks', () => {
    expect([textWidth('ab'), textWidth('漢字'), textWidth('🚀'), textWidth('é')]).toEqual([2, 4, 2, 1]);
  });
});
