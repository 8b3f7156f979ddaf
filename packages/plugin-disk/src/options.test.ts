import { describe, expect, it } from 'vitest';
import { options } from './options.js';

describe('the options', () => {
  it('have defaults for all but the threshold, which the configuration has', () => {
    expect(options.parse({})).toEqual({ inodes: 5, paths: [] });
  });

  it('take a size with its unit', () => {
    expect(options.parse({ threshold: '5GB' }).threshold).toBe(5_000_000_000);
  });

  it.each([
    { threshold: 'lots' },
    { threshold: -1 },
    { inodes: 101 },
    { inodes: -1 },
    { inodes: '5%' },
    { paths: [''] },
    { paths: '/srv' },
    { treshold: '5GB' },
  ])('reject %j', (wrong) => {
    expect(options.safeParse(wrong).success).toBe(false);
  });

  it('are all described', () => {
    const described = Object.values(options.shape).map((option) => option.description);
    expect(described).toEqual(described.map(() => expect.stringMatching(/\.$/)));
  });
});
