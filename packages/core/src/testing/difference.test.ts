import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../model/canonical-json.js';
import type { Json } from '../model/json.js';
import { differenceOf } from './difference.js';

describe('differenceOf', () => {
  it.each<[Json, Json, string]>([
    [1, 2, 'it: 1, then 2'],
    [{ a: { b: [1, 2] } }, { a: { b: [1, 3] } }, 'a.b.1: 2, then 3'],
    [{ a: 1 }, {}, 'a: 1, then nothing'],
    [[1], [1, 'x'], '1: nothing, then "x"'],
    [{ a: [] }, { a: {} }, 'a: [], then {}'],
    [{ a: null }, { a: {} }, 'a: null, then {}'],
    [[], {}, 'it: [], then {}'],
  ])('tells %j from %j', (before, after, difference) => {
    expect(differenceOf(before, after)).toBe(difference);
  });

  it('finds none exactly where there is none', () => {
    const json = fc
      .jsonValue({ noUnicodeString: false })
      .map((value) => JSON.parse(JSON.stringify(value)) as Json);
    fc.assert(
      fc.property(json, json, (one, other) => {
        expect(differenceOf(one, structuredClone(one))).toBeUndefined();
        expect(differenceOf(one, other) === undefined).toBe(canonicalJson(one) === canonicalJson(other));
      }),
    );
  });
});
