import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { spend, type Takes } from './spend.js';

const hour = 3_600_000;
const api = 'container:api';
const twicePerHour = { max: 2, per: hour };

/** Asks at each moment in turn and tells which were granted. */
function ask(moments: readonly number[], limit = twicePerHour, target = api) {
  let takes: Takes = {};
  const granted = moments.map((now) => {
    const spending = spend(takes, target, now, limit);
    takes = spending.takes;
    return spending.granted;
  });
  return { granted, takes };
}

describe('spending a budget', () => {
  it('grants as many repairs as there are, then none', () => {
    expect(ask([0, 1, 2, 3]).granted).toEqual([true, true, false, false]);
  });

  it('says how many are used, the granted one included', () => {
    expect(spend({}, api, 0, twicePerHour).used).toBe(1);
    expect(spend({ [api]: [0] }, api, 1, twicePerHour).used).toBe(2);
    expect(spend({ [api]: [0, 1] }, api, 2, twicePerHour)).toMatchObject({ granted: false, used: 2 });
  });

  it('says when the next one is granted, where it was not', () => {
    const inMs = (times: number[], now: number, limit = twicePerHour) =>
      spend({ [api]: times }, api, now, limit).freeIn;
    expect(inMs([0, 10], 100)).toBe(hour - 100);
    expect(inMs([0], 100)).toBeUndefined();
    // More were used than are allowed by now: all that are too many have to leave the window first.
    expect(inMs([0, 10, 20], 100, { max: 1, per: hour })).toBe(hour + 20 - 100);
    expect(inMs([], 100, { max: 0, per: hour })).toBeUndefined();
    expect(inMs([500, 500], 100)).toBe(hour);
  });

  it('frees a repair exactly one window after it was made, not a millisecond earlier', () => {
    expect(ask([0, 10, hour - 1]).granted).toEqual([true, true, false]);
    expect(ask([0, 10, hour]).granted).toEqual([true, true, true]);
    expect(ask([0, 10, hour, hour + 9]).granted).toEqual([true, true, true, false]);
    expect(ask([0, 10, hour, hour + 10]).granted).toEqual([true, true, true, true]);
  });

  it('slides with time instead of starting afresh at the full hour', () => {
    expect(ask([hour - 2, hour - 1, hour, hour + 1]).granted).toEqual([true, true, false, false]);
  });

  it('keeps the targets apart', () => {
    const { takes } = ask([0, 1]);
    expect(spend(takes, 'container:db', 2, twicePerHour).granted).toBe(true);
    expect(spend(takes, api, 2, twicePerHour).granted).toBe(false);
  });

  it('knows no repairs of a target that is named like a property of every object', () => {
    expect(ask([0, 1, 2], twicePerHour, '__proto__').granted).toEqual([true, true, false]);
    expect(ask([0, 1, 2], twicePerHour, 'constructor').granted).toEqual([true, true, false]);
  });

  it('has nothing new to remember when it refuses', () => {
    const { takes } = ask([0, 1]);
    expect(spend(takes, api, 2, twicePerHour).takes).toBe(takes);
  });

  it('grants nothing when the limit is none', () => {
    expect(ask([0, 2 * hour], { max: 0, per: hour }).granted).toEqual([false, false]);
  });

  describe('when the clock went back', () => {
    it('still counts what was used', () => {
      expect(ask([10 * hour, 10 * hour, 0]).granted).toEqual([true, true, false]);
      expect(ask([10 * hour, 10 * hour, 10 * hour - 1]).granted).toEqual([true, true, false]);
    });

    it('frees it one full window after that was seen, and no later', () => {
      expect(ask([10 * hour, 10 * hour, 0, hour - 1]).granted).toEqual([true, true, false, false]);
      expect(ask([10 * hour, 10 * hour, 0, hour]).granted).toEqual([true, true, false, true]);
    });

    it('puts right what it remembers of every target', () => {
      const { takes } = spend(
        { [api]: [90, 100], 'container:db': [5, 70] },
        'container:web',
        50,
        twicePerHour,
      );
      expect(takes).toEqual({ [api]: [50, 50], 'container:db': [5, 50], 'container:web': [50] });
    });
  });

  describe('when the configuration changes', () => {
    it('counts what was used against a smaller limit', () => {
      const { takes } = ask([0, 1]);
      expect(spend(takes, api, 2, { max: 1, per: hour })).toMatchObject({ granted: false, used: 2 });
      expect(spend(takes, api, hour + 1, { max: 1, per: hour }).granted).toBe(true);
    });

    it('grants the difference to a larger limit, and no more', () => {
      const { takes } = ask([0, 1]);
      const third = spend(takes, api, 2, { max: 3, per: hour });
      expect(third).toMatchObject({ granted: true, used: 3 });
      expect(spend(third.takes, api, 3, { max: 3, per: hour }).granted).toBe(false);
    });

    it('frees at once what a shorter window no longer covers', () => {
      expect(spend(ask([0, 1]).takes, api, 61_000, { max: 2, per: 60_000 }).granted).toBe(true);
    });

    it('still knows what a longer window covers again', () => {
      const { takes } = ask([0, 0, 1.2 * hour]);
      expect(spend(takes, api, 1.5 * hour, { max: 2, per: 2 * hour })).toMatchObject({
        granted: false,
        used: 2,
      });
    });
  });

  it('forgets targets that have not been repaired for a day, so that nothing piles up', () => {
    const day = 24 * hour;
    const takes = { old: [0], 'not-so-old': [0, 1] };
    expect(spend(takes, api, day, twicePerHour).takes).toEqual({ 'not-so-old': [1], [api]: [day] });
    expect(spend(takes, api, day, { max: 2, per: 2 * day }).takes).toEqual({ ...takes, [api]: [day] });
  });

  // Small numbers, so that moments fall on the edges of windows again and again.
  const limits = fc.record({ max: fc.integer({ min: 1, max: 4 }), per: fc.integer({ min: 1, max: 12 }) });
  const pauses = fc.array(fc.integer({ min: 0, max: 8 }), { maxLength: 40 });

  it('grants a repair exactly when fewer than the limit were granted within the window before it', () => {
    fc.assert(
      fc.property(limits, pauses, (limit, gaps) => {
        const moments = gaps.map((_, index) => gaps.slice(0, index + 1).reduce((sum, gap) => sum + gap, 0));
        const { granted } = ask(moments, limit);
        const grants: number[] = [];
        moments.forEach((now, index) => {
          const recent = grants.filter((at) => at > now - limit.per).length;
          expect(granted[index]).toBe(recent < limit.max);
          if (granted[index]) grants.push(now);
        });
      }),
      { numRuns: 1000 },
    );
  });

  it('grants the next repair exactly when it said, and not a moment earlier', () => {
    fc.assert(
      fc.property(limits, limits, pauses, (earlier, limit, gaps) => {
        const moments = gaps.map((_, index) => gaps.slice(0, index + 1).reduce((sum, gap) => sum + gap, 0));
        const now = moments.at(-1) ?? 0;
        const { takes } = ask(moments, earlier);
        const { granted, freeIn } = spend(takes, api, now, limit);
        fc.pre(!granted);
        const grantedIn = (ms = Number.NaN) => spend(takes, api, now + ms, limit).granted;
        expect([grantedIn(freeIn), grantedIn((freeIn ?? 0) - 1)]).toEqual([true, false]);
      }),
      { numRuns: 1000 },
    );
  });

  it('remembers no more repairs of a target than the limit', () => {
    fc.assert(
      fc.property(limits, pauses, (limit, gaps) => {
        const moments = gaps.map((_, index) => gaps.slice(0, index + 1).reduce((sum, gap) => sum + gap, 0));
        expect(ask(moments, limit).takes[api]?.length ?? 0).toBeLessThanOrEqual(limit.max);
      }),
    );
  });
});
