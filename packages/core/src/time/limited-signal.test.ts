import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { createSimulatedClock } from '../testing/simulated-clock.js';
import { systemClock } from './clock.js';
import { cleanUpMemory } from './fixtures/clean-up-memory.js';
import { limitedSignal } from './limited-signal.js';

const end = (signal: AbortSignal) =>
  new Promise<unknown>((resolve) => {
    signal.addEventListener('abort', () => resolve(signal.reason), { once: true });
  });

describe('a signal with a limit', () => {
  it('aborts when the time is up, and not before', async () => {
    const clock = createSimulatedClock();
    const { signal } = limitedSignal(clock, 100);
    await clock.advance(99);
    expect(signal.aborted).toBe(false);
    await clock.advance(1);
    expect(signal.reason).toMatchObject({ name: 'TimeoutError', message: 'It took longer than 100 ms' });
  });

  it('aborts with another one, for the same reason', () => {
    const other = new AbortController();
    const { signal } = limitedSignal(createSimulatedClock(), 100, other.signal);
    other.abort(new Error('enough'));
    expect(signal.reason).toMatchObject({ message: 'enough' });
    expect(limitedSignal(createSimulatedClock(), 100, other.signal).signal.reason).toBe(signal.reason);
  });

  it('leaves nothing behind when it is let go', async () => {
    const clock = createSimulatedClock();
    const other = new AbortController();
    const { signal, release } = limitedSignal(clock, 100, other.signal);
    release();
    await clock.advance(100);
    expect([signal.aborted, getEventListeners(other.signal, 'abort').length]).toEqual([false, 0]);
  });

  it('reaches whoever waits for a signal made of it, also when memory is cleaned up meanwhile', async () => {
    cleanUpMemory();
    const other = new AbortController();
    const waiting = () => end(AbortSignal.any([other.signal, limitedSignal(systemClock, 200).signal]));
    expect(await waiting()).toMatchObject({ name: 'TimeoutError' });
  });
});
