/**
 * Does some work, but waits no longer than this for it, and not after the signal. What still goes on is left alone.
 * @template T
 * @param {() => Promise<T>} work
 * @param {{ patienceMs: number, signal?: AbortSignal }} limits
 * @returns {Promise<T>}
 */
export async function withinTime(work, { patienceMs, signal }) {
  /** @type {(reason: unknown) => void} */
  let giveUp = () => undefined;
  const over = new Promise((/** @type {(never: never) => void} */ _, reject) => {
    giveUp = reject;
  });
  const late = () => giveUp(new Error(`did not end within ${patienceMs / 1_000} s`));
  const timer = setTimeout(late, patienceMs);
  const stop = () => giveUp(signal?.reason);
  signal?.addEventListener('abort', stop);
  try {
    return await Promise.race([work(), over]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
  }
}
