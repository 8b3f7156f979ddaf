import { whenAborted } from '../time/when-aborted.js';
import type { StoreChange } from './state-store.js';

/** Changes on their way to one watcher: drivers push, a `for await` takes. */
export class ChangeQueue implements AsyncIterableIterator<StoreChange> {
  readonly #signal: AbortSignal;
  readonly #release: () => void;
  readonly #onEnd: () => void;
  #changes: StoreChange[] = [];
  #wake: (() => void) | undefined;
  #failure: { readonly error: unknown } | undefined;
  #ended = false;

  /** `onEnd` runs once, when the signal aborts, the watcher stops, or the driver ends the queue. */
  constructor(signal: AbortSignal, onEnd: () => void) {
    this.#signal = signal;
    this.#onEnd = onEnd;
    this.#release = whenAborted(signal, () => this.end());
  }

  /** Whether nobody will take another change. */
  get ended(): boolean {
    return this.#ended || this.#signal.aborted;
  }

  /** Hands a change to the watcher. */
  push(change: StoreChange): void {
    if (this.ended) return;
    this.#changes.push(change);
    this.#wake?.();
  }

  /** Ends the watch with an error, once the changes before it are taken. */
  fail(error: unknown): void {
    if (this.ended) return;
    this.#failure = { error };
    this.#finish();
  }

  /** Ends the watch; changes that nobody took are dropped. */
  end(): void {
    this.#changes = [];
    this.#failure = undefined;
    this.#finish();
  }

  /** Waits for the next change. */
  async next(): Promise<IteratorResult<StoreChange, undefined>> {
    for (;;) {
      const change = this.#changes.shift();
      if (change !== undefined) return { done: false, value: change };
      if (this.#failure !== undefined) {
        const { error } = this.#failure;
        this.#failure = undefined;
        throw error;
      }
      if (this.ended) return { done: true, value: undefined };
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** Ends the watch from the side of the watcher. */
  async return(): Promise<IteratorResult<StoreChange, undefined>> {
    this.end();
    return { done: true, value: undefined };
  }

  /** The queue itself: there is one watcher. */
  [Symbol.asyncIterator](): this {
    return this;
  }

  #finish(): void {
    this.#release();
    if (!this.#ended) {
      this.#ended = true;
      this.#onEnd();
    }
    this.#wake?.();
  }
}
