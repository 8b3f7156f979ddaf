import { whenAborted } from '@argusai/core';

/** One question, and who waits for its answer. */
interface Asked {
  readonly answer: Promise<void>;
  readonly stop: AbortController;
  waiting: number;
}

/**
 * A question that is asked once for all who want to know at the same moment. Who asks while it is under way is answered by the next: what they
 * have seen may be newer. It ends when the last of them does not want to know any more.
 */
export class SharedQuestion {
  #next: Asked | undefined;
  #current: Promise<unknown> = Promise.resolve();
  readonly #put: (signal: AbortSignal) => Promise<void>;

  constructor(put: (signal: AbortSignal) => Promise<void>) {
    this.#put = put;
  }

  /** Resolves or rejects with the answer; rejects when the signal aborts. */
  async ask(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    this.#next ??= this.#begin();
    const asked = this.#next;
    asked.waiting += 1;
    let release: () => void = () => undefined;
    const aborted = new Promise<never>((_, reject) => {
      release = whenAborted(signal, () => reject(signal.reason));
    });
    try {
      await Promise.race([asked.answer, aborted]);
    } finally {
      release();
      asked.waiting -= 1;
      if (asked.waiting === 0) this.#drop(asked, signal.reason);
    }
  }

  #begin(): Asked {
    const stop = new AbortController();
    const answer = this.#current.then(() => {
      if (this.#next === asked) this.#next = undefined;
      const asking = this.#put(stop.signal);
      this.#current = asking.catch(() => undefined);
      return asking;
    });
    // Nobody may be left to hear of it.
    answer.catch(() => undefined);
    const asked: Asked = { answer, stop, waiting: 0 };
    return asked;
  }

  /** Whoever comes now must not get the answer to a question that nobody wanted to have answered. */
  #drop(asked: Asked, reason: unknown): void {
    if (this.#next === asked) this.#next = undefined;
    asked.stop.abort(reason);
  }
}
