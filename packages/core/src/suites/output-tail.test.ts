import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { knownSecret, leaksIn, secretCases, whole } from '../redact/fixtures/secret-cases.js';
import { createRedactor } from '../redact/redactor.js';
import { OutputTail } from './output-tail.js';

const tailOf = (chunks: readonly Buffer[], secret = knownSecret) => {
  const tail = new OutputTail(createRedactor({ secrets: [secret] }));
  for (const chunk of chunks) tail.add(chunk);
  return tail.report();
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

  it.each<[string, (secret: string) => string]>([
    ['', (secret) => secret],
    [', encoded', (secret) => Buffer.from(secret).toString('base64')],
  ])('tells no part of a known secret that is longer than all of it%s', (_, written) => {
    const secret = Array.from({ length: 4_000 }, (_, index) => `${index}-`)
      .join('')
      .slice(0, 18_000);
    const said = Buffer.from(`it is ${written(secret)} and${' more'.repeat(20)}`);
    expect(
      tailOf([said.subarray(0, 1_000), said.subarray(1_000, 3_000), said.subarray(3_000)], secret),
    ).toEqual({
      tail: `it is [redacted] and${' more'.repeat(20)}`,
      bytes: said.length,
      truncated: false,
    });
    const pieces = [...said.toString()].map((letter) => Buffer.from(letter));
    const { tail } = tailOf([...Array(10_000).fill(Buffer.from('early ')), ...pieces], secret);
    expect(tail).toMatch(/^[early ]+it is \[redacted\] and( more)+$/);
    for (let later = 0; later < 70_000; later += 3_000) {
      const end = Buffer.from('.'.repeat(later));
      expect(tailOf([...pieces, end], secret).tail).not.toMatch(/\d/);
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
