import { inTime, type TimeFrame } from './in-time.js';

/** What a name stands for, and how long it took to find out, in milliseconds. */
export interface LookedUp {
  readonly addresses: readonly string[];
  readonly latencyMs: number;
}

/** Looks a name up as every program of this machine does, with its hosts file. Throws what stood in the way. */
export async function lookUp(host: string, limitMs: number, frame: TimeFrame): Promise<LookedUp> {
  const { lookup } = await import('node:dns');
  const begun = frame.clock.monotonic();
  const addresses = await inTime(
    frame,
    limitMs,
    (signal) =>
      new Promise<string[]>((resolve, reject) => {
        // A lookup cannot be called off; one that is not wanted any more ends by itself.
        signal.addEventListener('abort', () => reject(signal.reason), { once: true });
        lookup(host, { all: true }, (error, found) =>
          error ? reject(error) : resolve(found.map(({ address }) => address)),
        );
      }),
  );
  return { addresses, latencyMs: frame.clock.monotonic() - begun };
}
