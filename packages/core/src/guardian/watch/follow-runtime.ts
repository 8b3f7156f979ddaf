import type { RunIdentity } from '../../environment/runs/run-record.js';
import type { Runtime, RuntimeEvent } from '../../environment/runtime.js';
import type { Clock } from '../../time/clock.js';
import { pause } from '../../time/pause.js';
import type { Reach } from './reach.js';
import { retryWaits } from './retry-waits.js';

/** Who is told what happens in a runtime. */
export interface Follower {
  hear(event: RuntimeEvent): void;
  /** Something may have happened that no event tells of: look at everything. */
  lookAround(): void;
}

/**
 * Follows what happens to the services of a run. A stream that breaks, as when an engine restarts, is taken up again; what
 * happened meanwhile, a look must tell. Ends when the signal aborts.
 */
export async function followRuntime(
  clock: Clock,
  runtime: Runtime,
  run: RunIdentity,
  follower: Follower,
  reach: Reach,
  signal: AbortSignal,
): Promise<void> {
  for (let wait = retryWaits.first; !signal.aborted; wait = Math.min(wait * 2, retryWaits.longest)) {
    const stop = new AbortController();
    try {
      const stream = open(runtime, run, AbortSignal.any([signal, stop.signal]));
      if (stream) {
        // Asked for before the look: what happens after it is told.
        let next = nextOf(stream);
        follower.lookAround();
        for (let event = await next; event; event = await next) {
          wait = retryWaits.first;
          follower.hear(event);
          next = nextOf(stream);
        }
      }
    } finally {
      stop.abort();
    }
    if (signal.aborted) return;
    reach.lost();
    // That it was aborted, the loop sees.
    await pause(clock, wait, signal).catch(() => undefined);
    await reach.back(signal).catch(() => undefined);
  }
}

function open(runtime: Runtime, run: RunIdentity, signal: AbortSignal) {
  try {
    return runtime.watch(run, signal)[Symbol.asyncIterator]();
  } catch {
    // The runtime is down for now.
    return undefined;
  }
}

/** What a stream tells next; nothing when it has ended. */
async function nextOf(stream: AsyncIterator<RuntimeEvent>): Promise<RuntimeEvent | undefined> {
  try {
    const { done, value } = await stream.next();
    return done ? undefined : value;
  } catch {
    // The runtime is down for now. How the services are, a look tells when it is back.
    return undefined;
  }
}
