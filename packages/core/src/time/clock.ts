/** Where all time comes from, so that everything that waits can be tested in simulated time. */
export interface Clock {
  /** Wall time in milliseconds since the epoch. It can jump, also backwards. */
  now(): number;
  /** Milliseconds from an arbitrary point. It never goes back; durations are measured with it. */
  monotonic(): number;
  /**
   * Calls back once after a delay; the returned function cancels. A pending call keeps the process alive, so
   * that a check that never answers still gets its result, unless it is only `background` work.
   */
  after(delayMs: number, callback: () => void, options?: { background?: boolean }): () => void;
}

// As they were before code of others was loaded: some of it puts its own in their place.
const { setTimeout, clearTimeout } = globalThis;

/** Node takes a longer delay for none at all. */
const longestDelayMs = 2 ** 31 - 1;

/** The machine's own clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic() {
    // Not `performance.now()`: the first use of it loads a module, and every start of argus would pay for that.
    const [seconds, nanoseconds] = process.hrtime();
    return seconds * 1_000 + nanoseconds / 1_000_000;
  },
  after(delayMs, callback, options) {
    const timer = setTimeout(callback, Math.min(delayMs, longestDelayMs));
    if (options?.background) timer.unref();
    return () => clearTimeout(timer);
  },
};
