import { type Clock, whenAborted } from '@argusai/core';

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
  if (signal.aborted) begin();
  const leave = whenAborted(signal, begin);
  return {
    signal: controller.signal,
    release() {
      leave();
      cancel?.();
    },
  };
}
