import type { Clock } from '@argusai/core';
import { TookTooLong } from './failure.js';

/** What work that may take too long is given. */
export interface TimeFrame {
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Runs work that heeds its signal, for so long and no longer; then it has failed with `ETIMEDOUT`. */
export async function inTime<Result>(
  { clock, signal }: TimeFrame,
  limitMs: number,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  signal.throwIfAborted();
  const limit = new AbortController();
  // A signal of its own, because many that listen to one look to Node like a leak.
  const own = AbortSignal.any([signal, limit.signal]);
  const cancel = clock.after(limitMs, () => limit.abort(new TookTooLong(`no answer within ${limitMs} ms`)));
  try {
    return await work(own);
  } catch (error) {
    // Whatever breaks off when it is told to stop does so for the reason that it was told.
    throw own.aborted ? own.reason : error;
  } finally {
    cancel();
  }
}
