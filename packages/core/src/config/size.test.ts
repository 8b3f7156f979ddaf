import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { formatSize, parseSize, size } from './size.js';

describe('a size', () => {
  it.each([
    ['2GB', 2_000_000_000],
    ['2gb', 2_000_000_000],
    ['1.5 GB', 1_500_000_000],
    ['512MiB', 512 * 1024 ** 2],
    ['512mib', 512 * 1024 ** 2],
    ['10G', 10 * 1024 ** 3],
    ['512m', 512 * 1024 ** 2],
    ['3KB', 3000],
    ['1TB', 1e12],
    ['1PiB', 1024 ** 5],
    ['17B', 17],
    ['17', 17],
    [' 17 ', 17],
    [2048, 2048],
    ['0', 0],
  ])('reads %j as %d bytes', (text, bytes) => {
    expect(parseSize(text)).toBe(bytes);
  });

  it.each([
    '',
    ' ',
    '2 gigs',
    '2GBB',
    '-1GB',
    '+1GB',
    'GB',
    '1,5GB',
    '1e3',
    '2iB',
    '2 G B',
    '.5GB',
    '99999PB',
    -1,
    Number.NaN,
    Number.POSITIVE_INFINITY,
  ])('rejects %j and quotes it', (text) => {
    expect(() => parseSize(text)).toThrow(`${JSON.stringify(text)} is not a size`);
  });

  it.each([
    [2_000_000_000, '2 GB'],
    [1536, '1.5 KB'],
    [999, '999 B'],
    [999_960, '1 MB'],
    [0, '0 B'],
  ])('of %d bytes is written %j', (bytes, text) => {
    expect(formatSize(bytes)).toBe(text);
  });

  it('survives being written and read again, up to rounding', () => {
    fc.assert(
      fc.property(fc.nat({ max: Number.MAX_SAFE_INTEGER }), (bytes) => {
        const again = parseSize(formatSize(bytes));
        expect(Math.abs(again - bytes)).toBeLessThanOrEqual(bytes * 0.05);
      }),
    );
  });

  it('is the amount times its unit, whatever the case of the unit', () => {
    const unit = fc.constantFrom(['b', 1], ['kb', 1e3], ['mib', 1024 ** 2], ['g', 1024 ** 3] as const);
    fc.assert(
      fc.property(fc.nat({ max: 100_000 }), unit, fc.boolean(), (amount, [name, factor], upper) => {
        const text = `${amount}${upper ? String(name).toUpperCase() : name}`;
        expect(parseSize(text)).toBe(amount * Number(factor));
      }),
    );
  });

  it('never reads any text as something else than a number of bytes', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        try {
          expect(Number.isSafeInteger(parseSize(text))).toBe(true);
        } catch (error) {
          expect(String(error)).toContain('is not a size');
        }
      }),
    );
  });
});

describe('the schema of a size', () => {
  const options = z.strictObject({ threshold: size().default('2GB') });

  it('takes its default as text and gives back bytes', () => {
    expect(options.parse({})).toEqual({ threshold: 2_000_000_000 });
    expect(options.parse({ threshold: '1KiB' })).toEqual({ threshold: 1024 });
    expect(options.parse({ threshold: 5 })).toEqual({ threshold: 5 });
    const output: z.output<typeof options> = { threshold: 1 };
    const input: z.input<typeof options> = { threshold: '1B' };
    expect([output, input]).toHaveLength(2);
  });

  it('keeps its kind of default after describe, and takes a function too', () => {
    expect(
      size()
        .describe('x')
        .default(() => '3KB')
        .parse(undefined),
    ).toBe(3000);
  });

  it('refuses a default that cannot be read when the schema is made', () => {
    expect(() => size().default('2 gigs')).toThrow('is not a size');
  });

  it('quotes what it cannot read, and says what it wants for a wrong type', () => {
    expect(options.safeParse({ threshold: '2 gigs' }).error?.issues[0]?.message).toContain('"2 gigs"');
    expect(options.safeParse({ threshold: true }).error?.issues[0]?.message).toContain('expected a size');
  });

  it('tells editors its default, a pattern that fits its examples, and that a number will do', () => {
    const json = z.toJSONSchema(options, { io: 'input' });
    const threshold = json.properties?.threshold as { default: string; anyOf: Record<string, unknown>[] };
    expect(threshold.default).toBe('2GB');
    const [text, number] = threshold.anyOf;
    expect(number).toEqual({ type: 'number', minimum: 0 });
    const pattern = new RegExp(String(text?.pattern));
    for (const example of Object(text).examples) expect(example).toMatch(pattern);
    for (const wrong of ['2 gigs', '2GBB', '', '-1GB', '2iB']) expect(wrong).not.toMatch(pattern);
    for (const right of ['2048', '1.5 GB', '512m', '17B']) expect(right).toMatch(pattern);
  });
});
