import { expect, it } from 'vitest';
import { shellWord } from './shell-word.js';

it('quotes an argument for the shell only where that is needed', () => {
  expect([shellWord('disk.space'), shellWord('a b'), shellWord("it's")]).toEqual([
    'disk.space',
    "'a b'",
    `'it'\\''s'`,
  ]);
});
