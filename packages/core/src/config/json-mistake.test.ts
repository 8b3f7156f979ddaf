import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonMistake } from './json-mistake.js';

describe('where a text stops to be JSON', () => {
  it.each([
    ['{ "a": shop }', 7],
    ['{\n "a": 1,\n}', 11],
    ["{ 'a': 1 }", 2],
    ['{ "a" 1 }', 6],
    ['{ "a": [1 2] }', 10],
    ['{ "a": [1,] }', 10],
    ['{ "a": 01 }', 7],
    ['{ "a": 1 ]', 9],
    ['[1] 2', 4],
    ['{ "a": {\n', 8],
    ['', 0],
  ])('is found in %j', (text, at) => {
    expect(jsonMistake(text)).toBe(at);
  });

  it('is the end of what is JSON', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(jsonMistake(text)).toBe(text.length);
      }),
    );
  });

  it('is where something is put that never fits', () => {
    const pretty = fc.jsonValue().map((value) => JSON.stringify({ value, last: 1 }, null, 2));
    fc.assert(
      fc.property(pretty, (text) => {
        const broken = text.replace(/"last": 1\n\}$/, '"last": shop\n}');
        expect(broken.slice(jsonMistake(broken))).toBe('shop\n}');
      }),
    );
  });
});
