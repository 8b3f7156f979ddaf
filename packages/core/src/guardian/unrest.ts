import { pause } from '../time/pause.js';
import type { Watch } from './guarded.js';
import { meaningOf } from './next-failure.js';

/** How often it is looked whether everything is settled, in milliseconds. */
const pollMs = 20;

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
}

/** What has failed in this very moment may not have been told yet. */
async function suspectFailed(watch: Watch): Promise<void> {
  const looks = watch.guarded.map(async (guarded) => {
    try {
      if (meaningOf(guarded, await watch.look(guarded.service))) guarded.suspect();
    } catch {
      // That it could not be looked at says nothing about the service.
    }
  });
  await Promise.all(looks);
}
