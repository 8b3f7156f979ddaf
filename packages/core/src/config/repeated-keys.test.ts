import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { repeatedKeys } from './repeated-keys.js';

describe('keys that are repeated', () => {
  it('are found where they are, with the line of the later one', () => {
    const text = `{
      "a": { "b": 1, "c": ["b", { "x": 1,
        "\\u0078": 2 }], "b": "b" },
      "a": "\\"a\\": {"
    }`;
    expect(repeatedKeys(text)).toEqual([
      { path: ['a', 'c', 1], key: 'x', line: 3 },
      { path: ['a'], key: 'b', line: 3 },
      { path: [], key: 'a', line: 4 },
    ]);
  });

  it('are never found in what was written from a value', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(repeatedKeys(JSON.stringify(JSON.parse(text), null, 1))).toEqual([]);
      }),
    );
  });
});
