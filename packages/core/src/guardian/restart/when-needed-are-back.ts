import { pause } from '../../time/pause.js';
import type { Guarded, Watch } from '../guarded.js';
import { currentFailure } from '../watch/next-failure.js';

/** How often it is looked whether the guard of a service has understood what was seen of it, in milliseconds. */
const pollMs = 20;

/**
 * Resolves when none of the services that a service needs is being brought back, or is known to have failed and is about to be.
 * Tells whether it had to wait.
 */
export async function whenNeededAreBack(
  watch: Watch,
  guarded: Guarded,
  signal: AbortSignal,
): Promise<boolean> {
  const { clock } = watch.kernel;
  let hasWaited = false;
  for (;;) {
    const missed = neededBy(watch, guarded).filter(({ isSuspect, standing }) => isSuspect || !standing.isUp);
    if (missed.length === 0) return hasWaited;
    hasWaited = true;
    await Promise.all(
      missed.map(({ standing }) => (standing.isUp ? pause(clock, pollMs, signal) : standing.settled(signal))),
    );
  }
}

/**
 * Looks at the services that a service needs, of the same runtime: when an engine restarts, all end at once, and the guard of one that is
 * needed may not know it yet. Asked for together with a look at the service itself, it costs none of its own.
 */
export async function suspectNeeded(watch: Watch, guarded: Guarded, signal: AbortSignal): Promise<void> {
  const unsuspected = neededBy(watch, guarded).filter(
    ({ runtime, isSuspect, standing }) => runtime === guarded.runtime && standing.isUp && !isSuspect,
  );
  await Promise.all(
    unsuspected.map(async (one) => {
      const failure = await currentFailure(watch, one, signal);
      // Meanwhile its own guard may have begun to bring it back.
      if (failure && one.standing.isUp && !one.isLeft) one.suspect();
    }),
  );
}

/** What was given up is waited for by nobody. */
function neededBy({ guarded }: Watch, { service }: Guarded): Guarded[] {
  return guarded.filter(({ name, isLeft }) => service.dependsOn.includes(name) && !isLeft);
}
