import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Line, paint, widthOf } from './line.js';
import { wrap, wrapLines } from './wrap.js';

const shown = (line: Line, columns: number) => paint(wrap(line, columns), { color: false });

describe('wrap', () => {
  it('leaves alone what fits, spaces and all', () => {
    expect(wrap(['a   b', ['c', 'red']], 6)).toEqual([['a   b', ['c', 'red']]]);
  });

  it('breaks at words, and indents what follows a little more', () => {
    expect(shown(['  one two three four'], 12)).toBe('  one two\n    three\n    four\n');
  });

  it('keeps styles, and a command in one piece', () => {
    expect(wrap(['try: ', ['argus fix', 'cyan'], ' now'], 10)).toEqual([
      ['try:', ' ', ['argus', 'cyan']],
      ['  ', ['fix', 'cyan'], ' ', 'now'],
    ]);
    expect(shown(['carry it out: ', ['argus fix', 'cyan']], 16)).toBe('carry it out:\n  argus fix\n');
  });

  it('counts wide characters as two', () => {
    expect(shown(['漢字漢字 漢字漢字'], 10)).toBe('漢字漢字\n  漢字漢字\n');
  });

  it('goes on in the next line with a word that no line has room for', () => {
    expect(shown(['see /a/very/long/path there'], 12)).toBe('see\n  /a/very/lo\n  ng/path\n  there\n');
  });

  it('never gives a line that is too wide, and loses nothing', () => {
    const words = fc.array(fc.stringMatching(/^[a-z漢🚀]{1,5}$/u), { minLength: 1 });
    fc.assert(
      fc.property(words, fc.integer({ min: 2, max: 40 }), (all, columns) => {
        const lines = wrapLines([[all.join(' ')]], columns);
        for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(columns);
        const text = paint(lines, { color: false });
        expect(text.replace(/\s/g, '')).toBe(all.join(''));
      }),
    );
  });
});
