import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { grade } from './grade.js';

const required = fc.integer({ min: 2, max: Number.MAX_SAFE_INTEGER });

describe('the grade of an amount', () => {
  it('passes at exactly the threshold and anywhere above', () => {
    fc.assert(
      fc.property(required, fc.nat(), (threshold, more) => {
        expect(grade(threshold, threshold)).toBe('pass');
        expect(grade(threshold + more, threshold)).toBe('pass');
      }),
    );
  });

  it('warns from one below the threshold down to exactly half', () => {
    fc.assert(
      fc.property(required, (threshold) => {
        expect(grade(threshold - 1, threshold)).toBe('warn');
        expect(grade(Math.ceil(threshold / 2), threshold)).toBe('warn');
      }),
    );
  });

  it('fails from just below half down to nothing', () => {
    fc.assert(
      fc.property(required, (threshold) => {
        expect(grade(Math.ceil(threshold / 2) - 1, threshold)).toBe('fail');
        expect(grade(0, threshold)).toBe('fail');
      }),
    );
  });

  it('never gets worse with more available', () => {
    const rank = { fail: 0, warn: 1, pass: 2 };
    fc.assert(
      fc.property(required, fc.nat(), fc.nat(), (threshold, some, more) => {
        expect(rank[grade(some + more, threshold)]).toBeGreaterThanOrEqual(rank[grade(some, threshold)]);
      }),
    );
  });

  it('passes always when nothing is required', () => {
    expect(grade(0, 0)).toBe('pass');
  });
});
