import { describe, expect, it } from 'vitest';
import { sourceLines } from './source-lines.js';

describe('the line of a path', () => {
  it('is that of the key, or of the item in a list', async () => {
    const find = await sourceLines('a:\n  b:\n    - x\n    - c: 1\n      d: 2\n? [odd, key]\n: 1\n5: five\n');
    expect(find(['a'])).toBe(1);
    expect(find(['a', 'b'])).toBe(2);
    expect(find(['a', 'b', 0])).toBe(3);
    expect(find(['a', 'b', 1, 'd'])).toBe(5);
    expect(find([5])).toBe(8);
  });

  it('is that of the nearest thing around what is missing', async () => {
    const find = await sourceLines('a:\n  b: text\n  c: [1]\n  e:\n');
    expect(find(['a', 'b', 'deeper', 'still'])).toBe(2);
    expect(find(['a', 'c', 7])).toBe(3);
    expect(find(['a', 'd'])).toBe(1);
    expect(find(['a', 'e', 'x'])).toBe(4);
    expect(find(['z'])).toBeUndefined();
    expect(find([])).toBeUndefined();
  });

  it('follows aliases to where they are written, and stops at what is merged in', async () => {
    const find = await sourceLines('base: &base\n  image: x\none: *base\ntwo:\n  <<: *base\n  ports: []\n');
    expect(find(['one', 'image'])).toBe(2);
    expect(find(['two', 'ports'])).toBe(6);
    expect(find(['two', 'image'])).toBe(4);
  });

  it('is found in JSON too', async () => {
    const find = await sourceLines('{\n  "a": {\n    "b": [\n      1,\n      2\n    ]\n  }\n}');
    expect(find(['a', 'b', 1])).toBe(5);
  });
});
