import { type Clock, systemClock } from '../time/clock.js';
import { withTimeLimit } from '../time/time-limit.js';

/** How long the code of a user may take to say what it has, in milliseconds: less than a client of a server waits for its answer. */
const loadMs = 30_000;

/** All that is being loaded. One listener serves them, because Node takes more than ten for a leak, and says so. */
const loading = new Set<AbortController>();

function onDeadEnd(): void {
  for (const one of loading) one.abort(new Error('it waits for an answer that can never come'));
}

/**
 * Runs code of a user's that is loaded. It may wait for something that never comes, and nobody is to wait with it: where
 * nothing is left that could bring it the answer, that is known at once.
 */
export async function loadedInTime<Value>(
  load: () => Promise<Value>,
  clock: Clock = systemClock,
): Promise<Value> {
  const deadEnd = new AbortController();
  // The limit must not be what keeps the process alive, or its end would never be near.
  const background: Clock = {
    now: () => clock.now(),
    monotonic: () => clock.monotonic(),
    after: (delayMs, callback) => clock.after(delayMs, callback, { background: true }),
  };
  if (loading.size === 0) process.on('beforeExit', onDeadEnd);
  loading.add(deadEnd);
  try {
    const complaint = 'it waits for something and was not loaded';
    return await withTimeLimit(background, loadMs, deadEnd.signal, complaint, load);
  } finally {
    loading.delete(deadEnd);
    if (loading.size === 0) process.off('beforeExit', onDeadEnd);
  }
}
