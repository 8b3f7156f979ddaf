import { describe, expect, it } from 'vitest';
import { coloured, knownSecret, leaksIn, secretCases, spelledOut, whole } from './fixtures/secret-cases.js';
import { createRedactor } from './redactor.js';

const { text } = createRedactor({ secrets: [knownSecret] });

describe('a secret', () => {
  it.each(secretCases)('is not told: $name', (one) => {
    for (const dress of [whole, coloured, spelledOut]) {
      const safe = text(dress(one));
      expect(leaksIn(safe), dress(one)).toEqual([]);
      expect(text(safe)).toBe(safe);
      expect(leaksIn(text(`12:00 ready\n${dress(one)}\n12:01 done`))).toEqual([]);
    }
  });

  it('is noticed by this test', () => {
    for (const one of secretCases) expect(leaksIn(whole(one))).toHaveLength(1);
  });
});
