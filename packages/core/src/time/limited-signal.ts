import type { Clock } from './clock.js';
import { whenAborted } from './when-aborted.js';

/** A signal that aborts when its time is up. */
export interface LimitedSignal {
  readonly signal: AbortSignal;
  /** Lets go of the time and of the other signal: whoever had it is done. */
  release(): void;
}

/**
 * A signal that aborts after a while, or with another one. Not `AbortSignal.timeout`: nothing holds that but whoever waits
 * for it, and who waits for what `AbortSignal.any` has made of it does not. On Node 20 it may be collected before its time
 * is up, and then somebody waits for ever. This one is held by its timer.
 */
export function limitedSignal(clock: Clock, limitMs: number, signal?: AbortSignal): LimitedSignal {
  const limit = new AbortController();
  const follow = () => limit.abort(signal?.reason);
  const cancel = clock.after(limitMs, () =>
    limit.abort(new DOMException(`It took longer than ${limitMs} ms`, 'TimeoutError')),
  );
  if (signal?.aborted) follow();
  const release = whenAborted(signal, follow);
  return {
    signal: limit.signal,
    release() {
      cancel();
      release();
    },
  };
}
