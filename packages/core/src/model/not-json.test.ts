import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isJson } from './json.js';
import { notJson } from './not-json.js';

describe('notJson', () => {
  it('complains about exactly what does not survive JSON', () => {
    const anything = fc.anything({
      withBigInt: true,
      withDate: true,
      withMap: true,
      withNullPrototype: true,
    });
    fc.assert(
      fc.property(anything, (value) => {
        expect(notJson(value, 'it') === undefined).toBe(isJson(value));
      }),
    );
  });

  it.each([
    [undefined, 'it is undefined'],
    [{ a: [{ b: Number.POSITIVE_INFINITY }] }, 'it.a.0.b is Infinity'],
    [Object.create({}), 'it is a Object'],
  ])('says where and why: %o', (value, reason) => {
    expect(notJson(value, 'it')).toBe(reason);
  });
});
