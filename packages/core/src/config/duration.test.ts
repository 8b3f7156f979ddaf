import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { duration, formatDuration, parseDuration } from './duration.js';

describe('a duration', () => {
  it.each([
    ['500ms', 500],
    ['2s', 2000],
    ['2 S', 2000],
    ['1.5h', 5_400_000],
    ['1m30s', 90_000],
    ['1m 30s', 90_000],
    ['1d', 86_400_000],
    ['1d2h3m4s5ms', 93_784_005],
    ['5m', 300_000],
    ['250', 250],
    [250, 250],
    ['0', 0],
  ])('reads %j as %d milliseconds', (text, milliseconds) => {
    expect(parseDuration(text)).toBe(milliseconds);
  });

  it.each([
    '',
    ' ',
    'soon',
    '2 seconds',
    '30s1m',
    '1h1h',
    '-2s',
    's',
    '1s30',
    '1,5h',
    -1,
    Number.NaN,
    Number.POSITIVE_INFINITY,
  ])('rejects %j and quotes it', (text) => {
    expect(() => parseDuration(text)).toThrow(`${JSON.stringify(text)} is not a duration`);
  });

  it.each([
    [0, '0ms'],
    [999, '999ms'],
    [1500, '1.5s'],
    [59_960, '1m'],
    [90_000, '1m30s'],
    [3_600_000, '1h'],
    [3_723_456, '1h2m'],
    [86_399_999, '1d'],
    [93_784_005, '1d2h'],
  ])('of %d milliseconds is written %j', (milliseconds, text) => {
    expect(formatDuration(milliseconds)).toBe(text);
  });

  it('survives being written and read again, up to rounding', () => {
    fc.assert(
      fc.property(fc.nat({ max: 1e12 }), (milliseconds) => {
        const again = parseDuration(formatDuration(milliseconds));
        expect(Math.abs(again - milliseconds)).toBeLessThanOrEqual(milliseconds * 0.05);
      }),
    );
  });

  it('is the sum of its parts', () => {
    const part = fc.nat({ max: 999 });
    fc.assert(
      fc.property(part, part, part, part, part, (d, h, m, s, ms) => {
        const sum = (((d * 24 + h) * 60 + m) * 60 + s) * 1000 + ms;
        expect(parseDuration(`${d}d${h}h${m}m${s}s${ms}ms`)).toBe(sum);
        expect(parseDuration(`${m}m ${ms}ms`)).toBe(m * 60_000 + ms);
      }),
    );
  });
});

describe('the schema of a duration', () => {
  it('takes its default as text, gives back milliseconds and quotes what it cannot read', () => {
    const options = z.strictObject({ delay: duration().default('2s') });
    expect(options.parse({})).toEqual({ delay: 2000 });
    expect(options.safeParse({ delay: 'soon' }).error?.issues[0]?.message).toContain('"soon"');
    expect(options.safeParse({ delay: null }).error?.issues[0]?.message).toContain('expected a duration');
  });

  it('tells editors a pattern that fits its examples', () => {
    const json = z.toJSONSchema(duration(), { io: 'input' }) as { anyOf: Record<string, unknown>[] };
    const pattern = new RegExp(String(json.anyOf[0]?.pattern));
    for (const example of Object(json.anyOf[0]).examples) expect(example).toMatch(pattern);
    expect('soon').not.toMatch(pattern);
  });
});
