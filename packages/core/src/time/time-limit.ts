import type { Clock } from './clock.js';
import { whenAborted } from './when-aborted.js';

/** Runs work under a time limit and a signal. Work that ignores its own signal is left behind, not waited for. */
export async function withTimeLimit<Result>(
  clock: Clock,
  limitMs: number,
  signal: AbortSignal,
  complaint: string,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  signal.throwIfAborted();
  const controller = new AbortController();
  let stop: (reason: unknown) => void = () => undefined;
  const stopped = new Promise<never>((_, reject) => {
    stop = (reason) => {
      controller.abort(reason);
      reject(reason);
    };
  });
  const release = whenAborted(signal, () => stop(signal.reason));
  const cancel = clock.after(limitMs, () => stop(new Error(`${complaint} within ${limitMs} ms`)));
  try {
    return await Promise.race([work(controller.signal), stopped]);
  } finally {
    cancel();
    release();
  }
}
