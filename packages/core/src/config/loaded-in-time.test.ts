import { describe, expect, it } from 'vitest';
import { loadedInTime } from './loaded-in-time.js';

const listeners = () => process.listenerCount('beforeExit');

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
    expect(listeners()).toBe(before + 1);
    begin('loaded');
    expect((await results).map(({ status }) => status)).toEqual([...Array(11).fill('fulfilled'), 'rejected']);
    expect(listeners()).toBe(before);
  });
});
