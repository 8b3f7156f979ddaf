import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { knownSecret, leaksIn, secretCases, whole } from '../redact/fixtures/secret-cases.js';
import { createRedactor } from '../redact/redactor.js';
import { OutputTail } from './output-tail.js';

const tailOf = (chunks: readonly Buffer[]) => {
  const tail = new OutputTail();
  for (const chunk of chunks) tail.add(chunk);
  return tail.report(createRedactor({ secrets: [knownSecret] }));
};

describe('the end of an output', () => {
  it('is all of it when that is not much', () => {
    expect(tailOf([Buffer.from('käse'), Buffer.from('\n')])).toEqual({
      tail: 'käse\n',
      bytes: 6,
      truncated: false,
    });
  });

  it.each(secretCases)('tells no part of a secret, wherever that is cut: $name', (one) => {
    for (const beyond of [8_200, 20_000, 50_000]) {
      for (let over = 0; over < whole(one).length; over += 3) {
        const said = `${'a '.repeat(beyond / 2)}${whole(one)}${' b'.repeat(4_096)}`.slice(
          0,
          -over || undefined,
        );
        const chunks = (said.match(/.{1,1000}/gs) ?? []).map((chunk) => Buffer.from(chunk));
        expect(leaksIn(tailOf(chunks).tail)).toEqual([]);
      }
    }
  });

  it('is the last 8192 bytes of any output, however it came, and begins with a whole character', () => {
    const part = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 });
    const size = fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 21, max: 20_000 }));
    fc.assert(
      fc.property(part, fc.integer({ min: 0, max: 40_000 }), size, (text, length, size) => {
        const whole = Buffer.from(text.repeat(Math.ceil(length / Buffer.byteLength(text))));
        const chunks = Array.from({ length: Math.ceil(whole.length / size) }, (_, index) =>
          whole.subarray(index * size, (index + 1) * size),
        );
        const { tail, bytes, truncated } = tailOf(chunks);
        expect({ bytes, truncated }).toEqual({ bytes: whole.length, truncated: whole.length > 8_192 });
        expect(whole.toString().endsWith(tail)).toBe(true);
        const missing = Math.min(whole.length, 8_192) - Buffer.byteLength(tail);
        expect(missing).toBeGreaterThanOrEqual(0);
        expect(missing).toBeLessThan(4);
      }),
    );
  });
});
