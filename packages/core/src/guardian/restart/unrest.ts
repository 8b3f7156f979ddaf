import { limitedSignal } from '../../time/limited-signal.js';
import { pause } from '../../time/pause.js';
import { whenAborted } from '../../time/when-aborted.js';
import type { Watch } from '../guarded.js';
import { openIncidents } from '../incidents/guard-book.js';
import { failureSeenIn } from '../watch/next-failure.js';

/** How often it is looked whether everything is settled, in milliseconds. */
const pollMs = 20;

/** How long it is waited at most until what has failed is written down, in milliseconds: its lines are read first. */
const noteMs = 10_000;

/** Whether services are being brought back, or are to be restarted, for whoever would rather not begin before that is done. */
export class Unrest {
  #watch: Watch | undefined;

  /** From now on these services are guarded. */
  begin(watch: Watch): void {
    this.#watch = watch;
  }

  /** Nobody brings anything back any more. */
  end(): void {
    this.#watch = undefined;
  }

  /** Resolves when everything is as the guardian leaves it, or nobody guards, or the signal aborts. */
  async settled(signal: AbortSignal): Promise<void> {
    if (this.#watch) await suspectFailed(this.#watch);
    for (let watch = this.#watch; watch && !signal.aborted; watch = this.#watch) {
      if (watch.guarded.every(({ isSettled }) => isSettled)) return;
      // That it was aborted, the loop sees.
      await pause(watch.kernel.clock, pollMs, signal).catch(() => undefined);
    }
  }

  /**
   * Looks at everything, and resolves when whatever has failed is written down, so that it is told although nobody goes on
   * watching. Not for ever: a runtime that does not answer must not hold up the end.
   */
  async noted(signal: AbortSignal): Promise<void> {
    const watch = this.#watch;
    if (!watch) return;
    const { clock } = watch.kernel;
    const limit = limitedSignal(clock, noteMs, signal);
    try {
      await Promise.race([suspectFailed(watch), aborted(limit.signal)]);
      while (this.#watch === watch && !limit.signal.aborted && !(await isNoted(watch)))
        await pause(clock, pollMs, limit.signal).catch(() => undefined);
    } finally {
      limit.release();
    }
  }
}

/** Whether there is nothing wrong that is not in the book: what was dealt with has been told, and what goes on is open in it. */
async function isNoted({ guarded, kernel, run }: Watch): Promise<boolean> {
  const wrong = guarded.filter(({ isLeft, isSuspect, standing }) => !isLeft && (isSuspect || !standing.isUp));
  if (wrong.length === 0) return true;
  try {
    const open = await openIncidents(kernel.store, run.id);
    return wrong.every(({ name }) => open.some(({ service }) => service === name));
  } catch {
    // A store that does not answer now may do so the next time.
    return false;
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    whenAborted(signal, resolve);
  });
}

/** What has failed in this very moment may not have been told yet. */
async function suspectFailed(watch: Watch): Promise<void> {
  const looks = watch.guarded.map(async (guarded) => {
    try {
      if (failureSeenIn(guarded, await watch.look(guarded.service))) guarded.suspect();
    } catch {
      // That it could not be looked at says nothing about the service.
    }
  });
  await Promise.all(looks);
}
