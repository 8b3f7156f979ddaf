import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { inTurns } from './in-turns.js';

const many = Array.from({ length: 500 }, (_, index) => index);

describe('doing something for each of many', () => {
  it('gives the results in their order', async () => {
    expect(await inTurns(many, async (item) => item * 2)).toEqual(many.map((item) => item * 2));
    expect(await inTurns([], async () => 1)).toEqual([]);
  });

  it('hears from the first before the last is begun', async () => {
    const order: string[] = [];
    await inTurns(many, async (item) => {
      order.push(`begin ${item}`);
      await setImmediate();
      order.push(`end ${item}`);
    });
    expect(order.indexOf('end 0')).toBeLessThan(order.indexOf('begin 499'));
  });

  it('waits for none of them before it begins the next', async () => {
    let release: () => void = () => undefined;
    const begun = new Promise<void>((resolve) => {
      release = resolve;
    });
    // All wait for the last, so they end only if it begins without them.
    await inTurns(many, async (item) => {
      if (item === 499) release();
      await begun;
    });
  });

  it('fails when one fails, whichever it is', async () => {
    for (const bad of [0, 60, 499]) {
      const work = inTurns(many, async (item) => {
        if (item === bad) throw new Error(`no ${item}`);
      });
      await expect(work).rejects.toThrow(`no ${bad}`);
    }
  });
});
