import type { Clock } from '../time/clock.js';
import { whenAborted } from '../time/when-aborted.js';

/** What a probe came to for those who wait for it: it faulted, so they must not call, or they may ask again. */
export type ProbeEnd = 'faulted' | 'over';

/** The one call of this process that asks for the turn or has it, and that the others of this process wait for. */
export class OwnProbe {
  /** Whose turn it is. */
  readonly owner: string;
  readonly #until: number;
  readonly #clock: Clock;
  readonly #ended: Promise<ProbeEnd>;
  #end: (end: ProbeEnd) => void = () => undefined;

  constructor(owner: string, timeoutMs: number, clock: Clock) {
    this.owner = owner;
    this.#clock = clock;
    // By the monotonic clock, so that the turn is kept when the wall clock jumps ahead.
    this.#until = clock.monotonic() + timeoutMs;
    this.#ended = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  /** How long one may still wait for it, in milliseconds. */
  get leftMs(): number {
    return this.#until - this.#clock.monotonic();
  }

  /** Lets go of those who wait, once what it found out is recorded. Only the first end counts. */
  end(end: ProbeEnd): void {
    this.#end(end);
  }

  /** Waits for its end, no longer than it may take; throws when the signal aborts before. */
  ended(signal: AbortSignal | undefined): Promise<ProbeEnd | 'late'> {
    return new Promise((resolve, reject) => {
      const release = whenAborted(signal, () => {
        cancel();
        reject(signal?.reason);
      });
      const settle = (end: ProbeEnd | 'late') => {
        cancel();
        release();
        resolve(end);
      };
      const cancel = this.#clock.after(Math.max(0, this.leftMs), () => settle('late'));
      void this.#ended.then(settle);
    });
  }
}
