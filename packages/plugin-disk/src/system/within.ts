import type { Clock } from '@argusai/core';

/** How long one answer of the system may take, and what cuts it short. */
export interface Patience {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly limitMs: number;
}

/**
 * Waits for an answer for a limited time, also for work that cannot be stopped: a look at a network drive whose
 * server is gone comes back never.
 */
export async function within<Answer>(
  { clock, signal, limitMs }: Patience,
  work: (signal: AbortSignal) => Promise<Answer>,
): Promise<Answer> {
  signal.throwIfAborted();
  const stop = new AbortController();
  const stopped = new Promise<never>((_, reject) => {
    stop.signal.addEventListener('abort', () => reject(stop.signal.reason), { once: true });
  });
  const cancel = () => stop.abort(signal.reason);
  signal.addEventListener('abort', cancel, { once: true });
  const forget = clock.after(limitMs, () => stop.abort(new Error(`no answer within ${limitMs / 1000} s`)));
  try {
    return await Promise.race([work(stop.signal), stopped]);
  } finally {
    forget();
    signal.removeEventListener('abort', cancel);
  }
}
