import { describe, expect, it } from 'vitest';
import { coloured, dresses, knownSecret, leaksIn, secretCases, whole } from './fixtures/secret-cases.js';
import { LastLines } from './last-lines.js';
import { createRedactor } from './redactor.js';

const redactor = createRedactor({ secrets: [knownSecret] });
const { text } = redactor;

describe('a secret', () => {
  it.each(secretCases)('is not told: $name', (one) => {
    for (const dress of dresses) {
      const safe = text(dress(one));
      expect(leaksIn(safe), dress(one)).toEqual([]);
      expect(text(safe)).toBe(safe);
      expect(leaksIn(text(`12:00 ready\n${dress(one)}\n12:01 done`))).toEqual([]);
    }
  });

  it.each(secretCases)('is not told in part, wherever the text is cut: $name', (one) => {
    for (const dress of [whole, coloured]) {
      const said = `${'ready '.repeat(10)}${dress(one)} ${'done '.repeat(10)}`;
      for (let limit = 10; limit < said.length; limit++) {
        for (const cut of [redactor.first(said, limit), redactor.last(said, limit)]) {
          expect(cut.length).toBeLessThanOrEqual(limit);
          expect(leaksIn(cut)).toEqual([]);
        }
      }
    }
  });

  it.each(secretCases)('is not told in part where old lines are let go of: $name', (one) => {
    const said = `first\n${'x '.repeat(20)}${whole(one)}${' y'.repeat(20)}\nlast`;
    for (let limit = 5; limit < said.length; limit += 7) {
      for (let size = 1; size < said.length; size += 31) {
        const kept = new LastLines(limit);
        for (let at = 0; at < said.length; at += size) kept.add(said.slice(at, at + size));
        expect(leaksIn(text(String(kept)))).toEqual([]);
        expect(String(kept)).toMatch(/last$/);
      }
    }
  });

  it('is noticed by this test', () => {
    for (const one of secretCases) expect(leaksIn(whole(one))).toHaveLength(1);
  });
});
