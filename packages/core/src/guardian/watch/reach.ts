import type { RunRecord } from '../../environment/runs/run-record.js';
import type { Runtime } from '../../environment/runtime.js';
import type { Clock } from '../../time/clock.js';
import { pause } from '../../time/pause.js';
import { withTimeLimit } from '../../time/time-limit.js';
import { whenAborted } from '../../time/when-aborted.js';
import { retryWaits } from './retry-waits.js';

/** How long a runtime may take to say that it is back, in milliseconds. */
const answerMs = 10_000;

/**
 * Whether a runtime can be used. While it is away one asks for all that wait for it, each time later, so that ten services are not ten
 * who ask, and whoever counts the questions that fail is not led to hold back the one that would be answered.
 */
export class Reach {
  #asking: Promise<void> | undefined;
  readonly #clock: Clock;
  readonly #ask: (signal: AbortSignal) => Promise<unknown>;
  /** Ends with the watch. */
  readonly #signal: AbortSignal;

  constructor(clock: Clock, ask: (signal: AbortSignal) => Promise<unknown>, signal: AbortSignal) {
    this.#clock = clock;
    this.#ask = ask;
    this.#signal = signal;
  }

  /** Somebody got no answer. */
  lost(): void {
    this.#asking ??= this.#untilAnswered().finally(() => {
      this.#asking = undefined;
    });
    // Who waits for it hears of its end.
    this.#asking.catch(() => undefined);
  }

  /** Resolves when the runtime answers, as far as is known. Rejects when the signal aborts. */
  async back(signal: AbortSignal): Promise<void> {
    while (this.#asking) {
      const asking = this.#asking;
      await new Promise<void>((resolve, reject) => {
        signal.throwIfAborted();
        const release = whenAborted(signal, () => reject(signal.reason));
        asking.then(resolve, reject).finally(release);
      });
    }
  }

  async #untilAnswered(): Promise<void> {
    for (let wait = retryWaits.first; ; wait = Math.min(wait * 2, retryWaits.longest)) {
      await pause(this.#clock, wait, this.#signal);
      try {
        await withTimeLimit(this.#clock, answerMs, this.#signal, 'it did not answer', this.#ask);
        return;
      } catch {
        // It is still away, unless nobody wants to know any more.
        this.#signal.throwIfAborted();
      }
    }
  }
}

/** Whether the runtime of a run's services can be used, for as long as somebody wants to know. */
export function reachOf(clock: Clock, runtime: Runtime, run: RunRecord, signal: AbortSignal): Reach {
  const names = Object.keys(run.services);
  return new Reach(clock, (asked) => runtime.answers?.(asked) ?? runtime.inspect(run, names, asked), signal);
}
