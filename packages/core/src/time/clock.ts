/** Where all time comes from, so that everything that waits can be tested in simulated time. */
export interface Clock {
  /** Wall time in milliseconds since the epoch. It can jump, also backwards. */
  now(): number;
  /** Milliseconds from an arbitrary point. It never goes back; durations are measured with it. */
  monotonic(): number;
  /** Calls back once after a delay; the returned function cancels. A pending call keeps no process alive. */
  after(delayMs: number, callback: () => void): () => void;
}

/** The machine's own clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(delayMs, callback) {
    const timer = setTimeout(callback, delayMs);
    timer.unref();
    return () => clearTimeout(timer);
  },
};
