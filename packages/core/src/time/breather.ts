import { setImmediate } from 'node:timers/promises';

/** How long work may go on before signals and timers get their turn, in milliseconds. */
const turnMs = 20;

/**
 * Lets long work be heard: to be awaited again and again in a loop whose promises may all be settled already, because then nothing
 * else, a signal least of all, ever gets its turn.
 */
export function breather(): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < turnMs) return;
    await setImmediate();
    since = performance.now();
  };
}
