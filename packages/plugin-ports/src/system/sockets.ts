import type { Protocol } from '../port-key.js';
import { type BoundSocket, readSocketTable, type SocketTable } from './socket-table.js';

/** The sockets of this machine, looked at once and only when someone wants to know. */
export class Sockets {
  readonly #protocols: ReadonlySet<Protocol>;
  #reading: Promise<SocketTable> | undefined;
  #known: readonly BoundSocket[] = [];

  /** Only the sockets of these protocols are of interest. */
  constructor(protocols: Iterable<Protocol>) {
    this.#protocols = new Set(protocols);
  }

  /** What is known so far; nothing as long as nobody has looked. */
  get known(): readonly BoundSocket[] {
    return this.#known;
  }

  /** Looks, the first time. */
  async read(): Promise<SocketTable> {
    this.#reading ??= readSocketTable(this.#protocols);
    const table = await this.#reading;
    this.#known = table.sockets;
    return table;
  }
}
