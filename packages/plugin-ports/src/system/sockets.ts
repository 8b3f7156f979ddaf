import { type BoundSocket, type Protocol, readSocketTable, type SocketTable } from '@argusai/core';

/** The sockets of this machine, looked at once and only when someone wants to know. */
export class Sockets {
  readonly #protocols: ReadonlySet<Protocol>;
  readonly #asksWho: boolean;
  #reading: Promise<SocketTable> | undefined;
  #known: readonly BoundSocket[] = [];

  /** Only the sockets of these protocols are of interest. `asksWho` when it will be asked who holds a port that is held. */
  constructor(protocols: Iterable<Protocol>, { asksWho = false } = {}) {
    this.#protocols = new Set(protocols);
    this.#asksWho = asksWho;
  }

  /** What is known so far; nothing as long as nobody has looked. */
  get known(): readonly BoundSocket[] {
    return this.#known;
  }

  /** A port is held. Listing sockets takes the kernel some milliseconds, which pass while others are tried. */
  foresee(): void {
    // Whoever asks later is told what went wrong.
    if (this.#asksWho) this.read().catch(() => undefined);
  }

  /** Looks, the first time. */
  async read(): Promise<SocketTable> {
    this.#reading ??= readSocketTable(this.#protocols);
    const table = await this.#reading;
    this.#known = table.sockets;
    return table;
  }
}
