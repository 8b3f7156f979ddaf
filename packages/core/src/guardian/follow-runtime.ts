import type { RunIdentity } from '../environment/run-record.js';
import type { Runtime, RuntimeEvent } from '../environment/runtime.js';
import type { Clock } from '../time/clock.js';
import { pause } from '../time/pause.js';

const waits = { first: 250, longest: 5_000 };

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
  signal: AbortSignal,
): Promise<void> {
  for (let wait = waits.first; !signal.aborted; wait = Math.min(wait * 2, waits.longest)) {
    const stop = new AbortController();
    try {
      const stream = runtime.watch(run, AbortSignal.any([signal, stop.signal]))[Symbol.asyncIterator]();
      // Asked for before the look: what happens after it is told.
      let next = stream.next();
      next.catch(() => undefined);
      follower.lookAround();
      for (let result = await next; !result.done; result = await next) {
        wait = waits.first;
        follower.hear(result.value);
        next = stream.next();
      }
    } catch {
      // The runtime is down for now. How the services are, a look tells when it is back.
    } finally {
      stop.abort();
    }
    if (!signal.aborted) await pause(clock, wait, signal).catch(() => undefined);
  }
}
