import type { Failure } from './failure.js';
import type { Guarded, Watch } from './guarded.js';
import { nextFailure } from './next-failure.js';

/**
 * Waits until a service may be restarted: until the services that it needs are back, and, while a test suite runs, until
 * that is over, unless the service does not answer at all, when there is nothing left to disturb. Tells whether it had
 * to wait.
 */
export async function whenItMayBeDisturbed(
  watch: Watch,
  guarded: Guarded,
  failure: Failure | undefined,
  signal: AbortSignal,
): Promise<boolean> {
  const answers = failure === undefined || (failure.kind === 'health' && failure.answers);
  const waits = answers && watch.suites !== undefined && watch.suites.running !== null;
  if (waits) await boundaryOrEnd(watch, guarded, signal);
  const { dependsOn } = guarded.service;
  const needed = watch.guarded.filter(({ name, standing }) => dependsOn.includes(name) && !standing.isUp);
  await Promise.all(needed.map(({ standing }) => standing.settled(signal)));
  return waits || needed.length > 0;
}

/** The end of the suite, or that of the service, whichever comes first. */
async function boundaryOrEnd(watch: Watch, guarded: Guarded, signal: AbortSignal): Promise<void> {
  const stop = new AbortController();
  const both = AbortSignal.any([signal, stop.signal]);
  const ended = async () => {
    for (;;) {
      const news = await nextFailure(watch, guarded, both);
      // What is asked of it meanwhile, the restart does that it waits for.
      if (news !== 'request' && !(news.kind === 'health' && news.answers)) return;
    }
  };
  try {
    const ways = [watch.suites?.idle(both), ended()];
    for (const way of ways) way?.catch(() => undefined);
    await Promise.race(ways);
  } finally {
    stop.abort();
  }
}
