import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { StateStore } from '../../state/state-store.js';
import type { StateStoreDriver } from '../state-store-contract.js';
import { opened } from './opened.js';
import { refused } from './refused.js';

/** Append-only streams and how much of them is kept. */
export function describeStreams(driver: StateStoreDriver): void {
  describe('streams', () => {
    it('gives entries back in order, with number and time', async () => {
      const { store, setTime } = await opened(driver);
      setTime(5000);
      const first = await store.append('stream', { n: 1 });
      setTime(4000);
      const second = await store.append('stream', { n: 2 });
      expect(first).toEqual({ sequence: expect.any(Number), at: 5000, value: { n: 1 } });
      expect(second).toEqual({ sequence: expect.any(Number), at: 4000, value: { n: 2 } });
      expect(second.sequence).toBeGreaterThan(first.sequence);
      expect(await store.read('stream')).toEqual([first, second]);
    });

    it('keeps streams apart', async () => {
      const { store } = await opened(driver);
      await store.append('one', 1);
      await store.append('two', 2, { maxEntries: 1 });
      expect(await valuesOf(store, 'one')).toEqual([1]);
      expect(await valuesOf(store, 'two')).toEqual([2]);
      expect(await valuesOf(store, 'three')).toEqual([]);
    });

    it('reads on after a number, and only the newest when asked to', async () => {
      const { store } = await opened(driver);
      const entries = [];
      for (const value of [1, 2, 3, 4]) entries.push(await store.append('stream', value));
      const after = entries[1]?.sequence ?? 0;
      expect(await valuesOf(store, 'stream', { after })).toEqual([3, 4]);
      expect(await valuesOf(store, 'stream', { after: entries[3]?.sequence ?? 0 })).toEqual([]);
      expect(await valuesOf(store, 'stream', { last: 3 })).toEqual([2, 3, 4]);
      expect(await valuesOf(store, 'stream', { last: 0 })).toEqual([]);
      expect(await valuesOf(store, 'stream', { after, last: 1 })).toEqual([4]);
      expect(await valuesOf(store, 'stream', { after, last: 9 })).toEqual([3, 4]);
    });

    it('keeps only as many entries as its retention says', async () => {
      const { store } = await opened(driver);
      for (let n = 1; n <= 5; n += 1) await store.append('stream', n);
      await store.append('stream', 6, { maxEntries: 3 });
      expect(await valuesOf(store, 'stream')).toEqual([4, 5, 6]);
      await store.append('stream', 7);
      expect(await valuesOf(store, 'stream')).toEqual([4, 5, 6, 7]);
    });

    it('keeps entries for as long as its retention says, and not a millisecond longer', async () => {
      const { store, setTime } = await opened(driver);
      for (const at of [1000, 1999, 2000, 2500]) {
        setTime(at);
        await store.append('stream', at);
      }
      setTime(3000);
      await store.append('stream', 3000, { maxAgeMs: 1000 });
      expect(await valuesOf(store, 'stream')).toEqual([2000, 2500, 3000]);
      await store.append('stream', 'new', { maxAgeMs: 500, maxEntries: 2 });
      expect(await valuesOf(store, 'stream')).toEqual([3000, 'new']);
    });

    it('never uses a number twice, also not when nothing is kept', async () => {
      const { store } = await opened(driver);
      const first = await store.append('stream', 1, { maxEntries: 0 });
      expect(await store.read('stream')).toEqual([]);
      expect((await store.append('stream', 2)).sequence).toBeGreaterThan(first.sequence);
    });

    it('is not changed by what callers do to values they gave or got', async () => {
      const { store } = await opened(driver);
      const given = [1];
      const entry = await store.append('stream', given);
      given.push(2);
      (entry.value as number[]).push(3);
      for (const { value } of await store.read('stream')) (value as number[]).push(4);
      expect(await valuesOf(store, 'stream')).toEqual([[1]]);
    });

    it('refuses numbers that make no sense', async () => {
      const { store } = await opened(driver);
      await refused(store.append('stream', 1, { maxEntries: -1 }));
      await refused(store.append('stream', 1, { maxEntries: 1.5 }));
      await refused(store.append('stream', 1, { maxAgeMs: Number.NaN }));
      await refused(store.append('stream', 1, { maxAgeMs: -1 }));
      await refused(store.read('stream', { last: -1 }));
      await refused(store.read('stream', { after: Number.NaN }));
      expect(await store.read('stream')).toEqual([]);
    });

    it('keeps what a simple list with the same retention keeps', async () => {
      const { store, setTime } = await opened(driver);
      const appends = fc.array(
        fc.record({
          passed: fc.integer({ min: -50, max: 100 }),
          maxEntries: fc.option(fc.nat(6), { nil: undefined }),
          maxAgeMs: fc.option(fc.nat(200), { nil: undefined }),
        }),
        { maxLength: 25 },
      );
      let runs = 0;
      await fc.assert(
        fc.asyncProperty(appends, async (steps) => {
          runs += 1;
          let now = 1_000_000;
          let expected: { at: number; value: number }[] = [];
          for (const [value, { passed, maxEntries, maxAgeMs }] of steps.entries()) {
            now += passed;
            setTime(now);
            const retention = {
              ...(maxEntries === undefined ? {} : { maxEntries }),
              ...(maxAgeMs === undefined ? {} : { maxAgeMs }),
            };
            await store.append(`stream ${runs}`, value, retention);
            expected.push({ at: now, value });
            if (maxAgeMs !== undefined) expected = expected.filter(({ at }) => now - at <= maxAgeMs);
            if (maxEntries !== undefined)
              expected = expected.slice(Math.max(0, expected.length - maxEntries));
          }
          const entries = await store.read(`stream ${runs}`);
          expect(entries.map(({ at, value }) => ({ at, value }))).toEqual(expected);
        }),
        { numRuns: 40 },
      );
    });
  });
}

async function valuesOf(store: StateStore, stream: string, options?: { after?: number; last?: number }) {
  return (await store.read(stream, options)).map(({ value }) => value);
}
