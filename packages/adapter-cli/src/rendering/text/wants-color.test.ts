import { expect, it } from 'vitest';
import { wantsColor } from './wants-color.js';

it.each([
  [true, {}, true],
  [false, {}, false],
  [true, { TERM: 'dumb' }, false],
  [true, { NO_COLOR: '1' }, false],
  [true, { NO_COLOR: '' }, true],
  [false, { FORCE_COLOR: '1' }, true],
  [false, { FORCE_COLOR: '' }, true],
  [true, { FORCE_COLOR: '0' }, false],
  [true, { FORCE_COLOR: 'false' }, false],
  [true, { FORCE_COLOR: '1', NO_COLOR: '1' }, false],
])('on a terminal: %j, with %j, there are colours: %j', (isTTY, env, expected) => {
  expect(wantsColor({ color: true, env }, isTTY)).toBe(expected);
});

it('obeys --no-color whatever else is said', () => {
  expect(wantsColor({ color: false, env: { FORCE_COLOR: '3' } }, true)).toBe(false);
});
