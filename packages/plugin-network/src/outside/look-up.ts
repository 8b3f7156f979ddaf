import { inTime, type TimeFrame } from './in-time.js';

/** What a name stands for, and how long it took to find out, in milliseconds. */
export interface LookedUp {
  readonly addresses: readonly string[];
  readonly latencyMs: number;
}

/** Looks a name up as every program of this machine does, with its hosts file. Throws what stood in the way. */
export async function lookUp(host: string, limitMs: number, frame: TimeFrame): Promise<LookedUp> {
  const { lookup } = await import('node:dns');
  return inTime(
    frame,
    limitMs,
    (signal) =>
      new Promise<LookedUp>((resolve, reject) => {
        const begun = frame.clock.monotonic();
        // A lookup cannot be called off; one that is not wanted any more ends by itself.
        signal.addEventListener('abort', () => reject(signal.reason), { once: true });
        lookup(host, { all: true }, (error, found) => {
          const latencyMs = frame.clock.monotonic() - begun;
          if (error) reject(error);
          else resolve({ addresses: found.map(({ address }) => address), latencyMs });
        });
      }),
  );
}
