/** Puts several streams into one, in the order of arrival. Streams may be added while it is read. */
export class MergedStreams<T> {
  readonly #room: number;
  #waiting: T[] = [];
  #open = 0;
  #failure: { readonly error: unknown } | undefined;
  #ended = false;
  #arrived: (() => void) | undefined;
  #taken: (() => void)[] = [];

  /** So many values may wait for whoever reads, before the streams have to wait too. */
  constructor(room = 1_000) {
    this.#room = room;
  }

  /** Adds a stream. An error in it ends the whole. `onEnd` runs when it ends well. */
  add(stream: AsyncIterable<T>, onEnd?: () => void): void {
    this.#keep(this.#drain(stream).then(onEnd));
  }

  /** Keeps the whole open while a stream of another kind goes on, and hands over what comes. */
  watch<Other>(stream: AsyncIterable<Other>, onValue: (value: Other) => void): void {
    const drain = async () => {
      for await (const value of stream) onValue(value);
    };
    this.#keep(drain());
  }

  /** All values until every stream has ended. */
  async *read(): AsyncGenerator<T, void, undefined> {
    try {
      for (;;) {
        const values = this.#waiting;
        this.#waiting = [];
        for (const taken of this.#taken.splice(0)) taken();
        yield* values;
        if (this.#waiting.length > 0) continue;
        if (this.#failure !== undefined) throw this.#failure.error;
        if (this.#open === 0) return;
        await new Promise<void>((resolve) => {
          this.#arrived = resolve;
        });
      }
    } finally {
      this.#ended = true;
      for (const taken of this.#taken.splice(0)) taken();
    }
  }

  #keep(work: Promise<void>): void {
    this.#open += 1;
    work
      .catch((error: unknown) => {
        this.#failure ??= { error };
      })
      .finally(() => {
        this.#open -= 1;
        this.#arrived?.();
      });
  }

  async #drain(stream: AsyncIterable<T>): Promise<void> {
    for await (const value of stream) {
      if (this.#ended) return;
      this.#waiting.push(value);
      this.#arrived?.();
      if (this.#waiting.length >= this.#room) await new Promise<void>((resolve) => this.#taken.push(resolve));
    }
  }
}
