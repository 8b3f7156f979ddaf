/**
 * What comes first of several things that are begun together; the others are told to stop then. Each is given a signal that aborts
 * when it is to stop, or with the caller's. What becomes of those that did not come first, nobody hears.
 */
export async function firstOf<Result>(
  signal: AbortSignal,
  ...ways: readonly ((signal: AbortSignal) => Promise<Result>)[]
): Promise<Result> {
  const stop = new AbortController();
  // A signal made by `any` holds those it is made of only weakly: this one is held by the end that aborts it, the caller's by the caller.
  const both = AbortSignal.any([signal, stop.signal]);
  try {
    return await Promise.race(ways.map((way) => way(both)));
  } finally {
    stop.abort();
  }
}
