import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { backoff } from './backoff.js';

const settings: Parameters<typeof backoff>[1] = {
  restartDelay: 2_000,
  restartBackoff: 'exponential',
  maxRestartDelay: 60_000,
  restartJitter: 0,
};
const delays = (count: number, rest: Partial<Parameters<typeof backoff>[1]> = {}, random = () => 0.5) =>
  Array.from({ length: count }, (_, index) => backoff(index + 1, { ...settings, ...rest }, random));

describe('the delay before a restart', () => {
  it('is doubled from restart to restart, up to its limit', () => {
    expect(delays(3)).toEqual([2_000, 4_000, 8_000]);
    expect(delays(8)).toEqual([2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000]);
  });

  it('grows by the same amount when it is linear', () => {
    expect(delays(3, { restartBackoff: 'linear' })).toEqual([2_000, 4_000, 6_000]);
    expect(delays(4, { restartBackoff: 'linear', maxRestartDelay: 5_000 })).toEqual([
      2_000, 4_000, 5_000, 5_000,
    ]);
  });

  it('can be none at all', () => {
    expect(delays(3, { restartDelay: 0 })).toEqual([0, 0, 0]);
  });

  it('is never longer than its limit nor shorter than the share that chance may take', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 50 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        fc.constantFrom('exponential' as const, 'linear' as const),
        (attempt, restartJitter, chance, restartBackoff) => {
          const plain = backoff(attempt, { ...settings, restartBackoff }, () => chance);
          const shortened = backoff(attempt, { ...settings, restartBackoff, restartJitter }, () => chance);
          expect(plain).toBeLessThanOrEqual(60_000);
          expect(shortened).toBeLessThanOrEqual(plain);
          expect(shortened).toBeGreaterThanOrEqual(Math.floor(plain * (1 - restartJitter)));
        },
      ),
    );
  });
});
