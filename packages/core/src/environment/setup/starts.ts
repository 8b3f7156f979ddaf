import type { Clock } from '../../time/clock.js';
import { pause } from '../../time/pause.js';

/** The starts that are under way. */
export class Starts {
  readonly #underWay = new Set<Promise<unknown>>();
  #settled: Promise<void> | undefined;

  /** Counts a start until it is over, well or not. Gives it back. */
  during<Result>(start: Promise<Result>): Promise<Result> {
    this.#underWay.add(start);
    const remove = () => void this.#underWay.delete(start);
    start.then(remove, remove);
    return start;
  }

  /** Resolves when nothing has been started for so long. All that wait for it go on at the same moment. */
  settled(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
    this.#settled ??= this.#settle(clock, ms, signal).finally(() => {
      this.#settled = undefined;
    });
    return this.#settled;
  }

  async #settle(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
    do {
      await Promise.allSettled(this.#underWay);
      await pause(clock, ms, signal);
    } while (this.#underWay.size > 0);
  }
}
