import { createSimulatedClock } from '@argusai/core/testing';
import { describe, expect, it } from 'vitest';
import { lingeringSignal } from './lingering-signal.js';

describe('a lingering signal', () => {
  it('aborts some time after the one that it follows, for the same reason', async () => {
    const clock = createSimulatedClock();
    const controller = new AbortController();
    const { signal } = lingeringSignal(controller.signal, clock, 5_000);
    await clock.advance(10_000);
    controller.abort('enough');
    await clock.advance(4_999);
    expect(signal.aborted).toBe(false);
    await clock.advance(1);
    expect(signal.reason).toBe('enough');
  });

  it('follows one that was aborted before, and none once it is released', async () => {
    const clock = createSimulatedClock();
    const late = lingeringSignal(AbortSignal.abort(), clock, 1_000);
    const released = lingeringSignal(AbortSignal.abort(), clock, 1_000);
    released.release();
    await clock.advance(1_000);
    expect([late.signal.aborted, released.signal.aborted]).toEqual([true, false]);
  });
});
