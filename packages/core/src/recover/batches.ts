import type { RecoveryStep } from '../model/recoverer.js';
import { type Clock, systemClock } from '../time/clock.js';

/** How many steps a recoverer is handed at once: at first as many as most repairs have, which are cheaper together, and at most. */
const first = 32;
const most = 64;

/** How long a batch may keep signals from being heard, in milliseconds, before the next ones are made smaller. */
const deafMs = 50;

/** How often it is looked whether they are. */
const lookMs = 10;

/** Sizes batches by how long the work of a batch blocks the process: who blocks it is handed less, down to single steps. */
export class Batches {
  // Real time, whatever the kernel's clock says: only that tells how long the process was not to be reached.
  readonly #clock: Pick<Clock, 'monotonic' | 'after'>;
  #size = first;

  constructor(clock: Pick<Clock, 'monotonic' | 'after'> = systemClock) {
    this.#clock = clock;
  }

  /** The next steps from a place on. */
  from<Step>(steps: readonly Step[], start: number): Step[] {
    return steps.slice(start, start + this.#size);
  }

  /** Does the work of one batch. */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    let deaf = 0;
    let heard = this.#clock.monotonic();
    const hear = () => {
      const now = this.#clock.monotonic();
      deaf = Math.max(deaf, now - heard);
      heard = now;
    };
    const beat = () => {
      hear();
      stop = this.#clock.after(lookMs, beat);
    };
    let stop = this.#clock.after(lookMs, beat);
    try {
      return await work();
    } finally {
      stop();
      hear();
      const fitting = Math.floor((this.#size * deafMs) / deaf);
      this.#size = Math.max(1, Math.min(fitting, this.#size * 2, most));
    }
  }
}

/** Steps that are given out one by one, until it is cancelled. */
export interface HandedOut {
  readonly steps: readonly RecoveryStep[];
  /** Whether the step at this place was given out; all were where they are not taken one by one. */
  wasGiven(index: number): boolean;
}

/** Hands steps out: who goes through them gets no further one once the signal has aborted, whether they heed it or not. */
export function handOut(batch: readonly RecoveryStep[], signal: AbortSignal): HandedOut {
  // A copy, because what is recorded and judged afterwards must be what was planned.
  const steps: RecoveryStep[] = structuredClone([...batch]);
  let given: number | undefined;
  function* untilAborted() {
    given ??= 0;
    for (const [index, step] of steps.entries()) {
      if (signal.aborted) return;
      given = Math.max(given, index + 1);
      yield step;
    }
  }
  Object.defineProperty(steps, Symbol.iterator, { value: untilAborted });
  return { steps, wasGiven: (index) => index < (given ?? steps.length) };
}
