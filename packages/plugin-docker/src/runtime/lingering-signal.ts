import type { Clock } from '@argusai/core';

/** A signal that aborts some time after another one. */
export interface LingeringSignal {
  readonly signal: AbortSignal;
  /** Lets go of the other signal. */
  release(): void;
}

/**
 * Follows a signal at a distance: what has begun gets the time to end well, because a half-done command leaves things
 * that nobody knows of.
 */
export function lingeringSignal(signal: AbortSignal, clock: Clock, delayMs: number): LingeringSignal {
  const controller = new AbortController();
  let cancel: (() => void) | undefined;
  const begin = () => {
    cancel = clock.after(delayMs, () => controller.abort(signal.reason));
  };
  // Many services start under one signal, and Node warns of a leak when it has more than ten listeners.
  const own = AbortSignal.any([signal]);
  if (own.aborted) begin();
  else own.addEventListener('abort', begin, { once: true });
  return {
    signal: controller.signal,
    release() {
      own.removeEventListener('abort', begin);
      cancel?.();
    },
  };
}
