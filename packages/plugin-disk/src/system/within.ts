import { type Clock, withTimeLimit } from '@argusai/core';

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
export function within<Answer>(
  { clock, signal, limitMs }: Patience,
  work: (signal: AbortSignal) => Promise<Answer>,
): Promise<Answer> {
  return withTimeLimit(clock, limitMs, signal, 'no answer', work);
}
