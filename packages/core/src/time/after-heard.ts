import type { Clock } from './clock.js';

/** From how late on, in milliseconds, somebody must have held the process up. */
const noticeableMs = 100;

/** How long those who could not be heard meanwhile get at most, in milliseconds. */
const longestMs = 1_000;

/**
 * Calls back after a delay, as `clock.after` does. Where code held the whole process up beyond that, what others have to say has come in
 * long ago and nobody has looked at it: they get a moment first.
 */
export function afterHeard(clock: Clock, delayMs: number, callback: () => void): () => void {
  const due = clock.monotonic() + delayMs;
  let cancel = clock.after(delayMs, () => {
    const lateMs = clock.monotonic() - due;
    if (lateMs < noticeableMs) return callback();
    cancel = clock.after(Math.min(lateMs, longestMs), callback);
  });
  return () => cancel();
}
