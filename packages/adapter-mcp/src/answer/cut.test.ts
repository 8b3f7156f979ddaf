import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bytesOf, cut } from './cut.js';

const lines = (count: number, length = 80) =>
  Array.from({ length: count }, (_, index) => `${index} ${'x'.repeat(length)}`);

describe('cutting an answer', () => {
  it('leaves what fits as it is', () => {
    const answer = { ok: true, data: { lines: lines(10) } };
    expect(cut(answer, 'ask')).toBe(answer);
  });

  it('takes the middle out of long lists and texts, and says where', () => {
    const answer = { ok: true, data: { lines: lines(2_000), text: `begin ${'y'.repeat(50_000)} end` } };
    const shorter = cut(answer, 'ask for less') as typeof answer & {
      truncated: { omitted: readonly string[] };
    };
    expect(shorter.data.lines.at(0)).toMatch(/^0 /);
    expect(shorter.data.lines.at(-1)).toMatch(/^1999 /);
    expect(shorter.data.text).toMatch(/^begin y+ … y+ end$/);
    expect(shorter.truncated).toMatchObject({ bytes: bytesOf(answer), more: 'ask for less' });
    expect(shorter.truncated.omitted.join()).toMatch(/data\.lines: \d+ of 2000.*data\.text: \d+ characters/);
  });

  it('takes the middle out of long lists by name, and says where', () => {
    const services = Object.fromEntries(lines(2_000).map((line, index) => [`service${index}`, { line }]));
    const shorter = cut({ ok: true, data: { config: { services } } }, 'ask') as {
      data: { config: { services: object } };
      truncated: { omitted: readonly string[] };
    };
    const names = Object.keys(shorter.data.config.services);
    expect(names.at(0)).toBe('service0');
    expect(names.at(-1)).toBe('service1999');
    expect(names.length).toBeGreaterThan(25);
    expect(shorter.truncated.omitted).toEqual([`data.config.services: ${2_000 - names.length} of 2000`]);
  });

  it('leaves the data out where its parts are too many to be cut', () => {
    const some = (value: unknown) => Object.fromEntries(lines(25).map((_, index) => [`key${index}`, value]));
    const data = some(some('x'.repeat(100)));
    expect(cut({ ok: true, data }, 'ask')).toEqual({
      ok: true,
      truncated: { bytes: bytesOf({ ok: true, data }), omitted: ['data'], more: 'ask' },
    });
  });

  it('always fits', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.integer({ min: 1, max: 4_000 }), (value, times) => {
        const data = Array.from({ length: times }, () => value);
        expect(bytesOf(cut({ ok: true, data }, 'ask'))).toBeLessThanOrEqual(20_000);
      }),
      { numRuns: 50 },
    );
  });
});
