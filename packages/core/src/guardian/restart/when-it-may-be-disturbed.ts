import { firstOf } from '../../time/first-of.js';
import type { Guarded, Watch } from '../guarded.js';
import type { Failure } from '../watch/failure.js';
import { nextFailure } from '../watch/next-failure.js';
import { whenNeededAreBack } from './when-needed-are-back.js';

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
  const hasWaited = await whenNeededAreBack(watch, guarded, signal);
  return waits || hasWaited;
}

/** The end of the suite, or that of the service, whichever comes first. */
async function boundaryOrEnd(watch: Watch, guarded: Guarded, signal: AbortSignal): Promise<void> {
  await firstOf(
    signal,
    async (both) => watch.suites?.idle(both),
    async (both) => {
      for (;;) {
        const news = await nextFailure(watch, guarded, both);
        // What is asked of it meanwhile, the restart does that it waits for.
        if (news !== 'request' && !(news.kind === 'health' && news.answers)) return;
      }
    },
  );
}
