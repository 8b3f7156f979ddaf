import { expect, it } from 'vitest';
import { spinnerAt, spinnerMs } from '../live/spinner.js';
import { toAscii, wantsAscii } from './ascii.js';
import { type Line, paint } from './line.js';
import { type MarkedState, markOf } from './mark.js';

const states: MarkedState[] = ['pass', 'warn', 'fail', 'unknown', 'skipped', 'running', 'waiting', 'planned'];
// biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII has them.
const ascii = /^[\x00-\x7f]*$/;

it('is wanted where a locale is named that is not UTF-8, and the most particular one counts', () => {
  expect(wantsAscii({ LC_ALL: 'C' })).toBe(true);
  expect(wantsAscii({ LANG: 'de_DE.ISO-8859-1' })).toBe(true);
  expect(wantsAscii({ LC_ALL: 'C', LANG: 'en_US.UTF-8' })).toBe(true);
  expect(wantsAscii({ LC_CTYPE: 'UTF-8', LANG: 'C' })).toBe(false);
  expect(wantsAscii({ LC_ALL: '', LANG: 'C.utf8' })).toBe(false);
  expect(wantsAscii({})).toBe(false);
});

it('draws marks, what turns, arrows and cuts without anything else', () => {
  const turning = Array.from({ length: 10 }, (_, index) => spinnerAt(index * spinnerMs));
  const lines = [
    ...states.map((state): Line => [markOf(state, true)]),
    turning,
    ['a → b, the run’s'],
    ['x'.repeat(99)],
  ];
  const text = paint(lines, { color: false, columns: 40, ascii: true });
  expect(text).toMatch(ascii);
  expect(text).toHaveLength(paint(lines, { color: false, columns: 40 }).length);
});

it('leaves what others have written', () => {
  expect(toAscii('größe')).toBe('größe');
});
