import { describe, expect, it } from 'vitest';
import { loadedInTime } from './loaded-in-time.js';

/** The listeners of loads that are under way; other tests of this process may have left one that never ends. */
const listeners = () => process.listeners('beforeExit').filter(({ name }) => name === 'onDeadEnd').length;

describe('code of a user that is loaded', () => {
  it('has one listener for however many are loaded at once, and none afterwards', async () => {
    const before = listeners();
    let begin: (what: string) => void = () => undefined;
    const all = new Promise<string>((resolve) => {
      begin = resolve;
    });
    const loads = Array.from({ length: 12 }, (_, index) =>
      loadedInTime(async () => {
        if (index === 11) throw new Error('broken');
        return all;
      }),
    );
    const results = Promise.allSettled(loads);
    await Promise.allSettled(loads.slice(11));
    expect(listeners()).toBe(1);
    begin('loaded');
    expect((await results).map(({ status }) => status)).toEqual([...Array(11).fill('fulfilled'), 'rejected']);
    expect(listeners()).toBeLessThanOrEqual(before);
  });
});
