import type { SuiteBoundaries } from '../guardian/restart/suite-boundaries.js';
import { whenAborted } from '../time/when-aborted.js';

/** Marks which suite runs, for whoever must not disturb it. */
export class Boundaries implements SuiteBoundaries {
  #running: string | null = null;
  readonly #waiting = new Set<() => void>();

  get running(): string | null {
    return this.#running;
  }

  /** Does the work as that of a suite. */
  async during<Result>(suite: string, work: () => Promise<Result>): Promise<Result> {
    this.#running = suite;
    try {
      return await work();
    } finally {
      this.#running = null;
      for (const wake of this.#waiting) wake();
      this.#waiting.clear();
    }
  }

  async idle(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#running === null) return;
    await new Promise<void>((resolve, reject) => {
      const wake = () => {
        release();
        resolve();
      };
      const release = whenAborted(signal, () => {
        this.#waiting.delete(wake);
        reject(signal.reason);
      });
      this.#waiting.add(wake);
    });
  }
}
