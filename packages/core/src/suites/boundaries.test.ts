import { describe, expect, it } from 'vitest';
import { Boundaries } from './boundaries.js';

const { signal } = new AbortController();

describe('the boundaries of suites', () => {
  it('say which suite runs, and let nobody wait while none does', async () => {
    const boundaries = new Boundaries();
    expect(boundaries.running).toBeNull();
    await boundaries.idle(signal);
    expect(await boundaries.during('smoke', async () => boundaries.running)).toBe('smoke');
    expect(boundaries.running).toBeNull();
  });

  it('wake everybody at the end of a suite, also of one that breaks', async () => {
    const boundaries = new Boundaries();
    const woken: string[] = [];
    let end: (error: Error) => void = () => undefined;
    const suite = boundaries.during('smoke', () => new Promise((_, reject) => (end = reject)));
    const waiting = ['a', 'b'].map((name) => boundaries.idle(signal).then(() => woken.push(name)));
    await new Promise(setImmediate);
    expect(woken).toEqual([]);
    end(new Error('broken'));
    await expect(suite).rejects.toThrow('broken');
    await Promise.all(waiting);
    expect(woken).toEqual(['a', 'b']);
  });

  it('let go of whoever is told to stop waiting', async () => {
    const boundaries = new Boundaries();
    const stop = new AbortController();
    let end: () => void = () => undefined;
    const suite = boundaries.during('smoke', () => new Promise<void>((resolve) => (end = resolve)));
    const waiting = boundaries.idle(stop.signal);
    stop.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    await expect(boundaries.idle(stop.signal)).rejects.toThrow('enough');
    end();
    await suite;
  });
});
