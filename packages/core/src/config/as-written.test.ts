import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { asWritten } from './as-written.js';
import { duration } from './duration.js';
import { size } from './size.js';

describe('options as they are written', () => {
  it('have their units again, wherever they stand', () => {
    const schema = z.strictObject({
      threshold: size().optional().describe('so much'),
      timeout: duration().default('5s'),
      seats: z.number().default(5),
      paths: z.array(z.string()).default([]),
      waits: z.array(duration()),
      limits: z.record(
        z.string(),
        z.lazy(() => z.object({ memory: size().nullable() })),
      ),
      gone: duration().optional(),
    });
    const given = { threshold: '100MB', waits: ['2s', 1500], limits: { api: { memory: '512MiB' } } };
    expect(asWritten(schema, schema.parse(given))).toEqual({
      threshold: '100 MB',
      timeout: '5s',
      seats: 5,
      paths: [],
      waits: ['2s', '1.5s'],
      // It is no round number in thousands, and a rounded one would be another.
      limits: { api: { memory: 536_870_912 } },
    });
  });

  it('stay as they are where no schema says more', () => {
    expect(asWritten(undefined, { a: 5000 })).toEqual({ a: 5000 });
    expect(asWritten(z.unknown(), [1, null])).toEqual([1, null]);
    expect(asWritten(z.object({ a: size() }), { a: '[redacted]' })).toEqual({ a: '[redacted]' });
    expect(asWritten(z.object({ a: z.string() }), null)).toBe(null);
  });
});
