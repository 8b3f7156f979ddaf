import { createSimulatedClock } from '@argusai/core/testing';
import { describe, expect, it } from 'vitest';
import { within } from './within.js';

const never = () => new Promise<never>(() => undefined);

describe('waiting for a limited time', () => {
  it('gives the answer', async () => {
    const patience = { clock: createSimulatedClock(), signal: new AbortController().signal, limitMs: 2_000 };
    await expect(within(patience, async () => 42)).resolves.toBe(42);
  });

  it('passes on why the work failed', async () => {
    const patience = { clock: createSimulatedClock(), signal: new AbortController().signal, limitMs: 2_000 };
    await expect(within(patience, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  });

  it('waits until the limit and no longer, and tells the work to stop', async () => {
    const clock = createSimulatedClock();
    const patience = { clock, signal: new AbortController().signal, limitMs: 2_000 };
    const seen: { signal?: AbortSignal; ended?: unknown } = {};
    const waiting = within(patience, (signal) => {
      seen.signal = signal;
      return never();
    }).catch((error) => {
      seen.ended = error;
    });

    await clock.advance(1_999);
    expect(seen.ended).toBeUndefined();
    expect(seen.signal?.aborted).toBe(false);

    await clock.advance(1);
    await waiting;
    expect(seen.ended).toEqual(new Error('no answer within 2000 ms'));
    expect(seen.signal?.aborted).toBe(true);
  });

  it('ends at once, with the reason, when it is cancelled', async () => {
    const cancel = new AbortController();
    const patience = { clock: createSimulatedClock(), signal: cancel.signal, limitMs: 2_000 };
    const waiting = within(patience, never);
    cancel.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
  });

  it('does not begin when it is already cancelled', async () => {
    const patience = {
      clock: createSimulatedClock(),
      signal: AbortSignal.abort(new Error('before')),
      limitMs: 2_000,
    };
    let begun = false;
    const waiting = within(patience, async () => {
      begun = true;
    });
    await expect(waiting).rejects.toThrow('before');
    expect(begun).toBe(false);
  });
});
