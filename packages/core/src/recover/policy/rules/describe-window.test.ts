import { describe, expect, it } from 'vitest';
import { describeWindow } from './describe-window.js';

describe('a window', () => {
  it.each([
    [86_400_000, 'day'],
    [172_800_000, '2 days'],
    [3_600_000, 'hour'],
    [7_200_000, '2 hours'],
    [5_400_000, '90 minutes'],
    [60_000, 'minute'],
    [90_000, '90 seconds'],
    [1_000, 'second'],
    [1_500, '1500 milliseconds'],
    [500, '500 milliseconds'],
  ])('of %d ms is described as %j', (ms, expected) => {
    expect(describeWindow(ms)).toBe(expected);
  });
});
