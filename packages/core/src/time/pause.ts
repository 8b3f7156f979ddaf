import type { Clock } from './clock.js';
import { whenAborted } from './when-aborted.js';

/** Waits on the clock. Rejects with the signal's reason as soon as that aborts. */
export function pause(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const release = whenAborted(signal, () => {
      cancel();
      reject(signal?.reason);
    });
    const cancel = clock.after(ms, () => {
      release();
      resolve();
    });
  });
}
