import {
  ChangeQueue,
  type Clock,
  isArgusError,
  isErrorOf,
  type StoreChange,
  storeUnavailable,
} from '@argusai/core';
import { numberOf } from './column.js';
import type { Connection } from './connection.js';
import type { DatabaseFile } from './database-file.js';
import { listDocuments } from './documents.js';

/** How often to look for what other processes did. Looking costs a few microseconds when they did nothing. */
const intervalMs = 100;

/** Tells one watcher what changes in a namespace: at once what this store does, soon what others do. */
export class NamespaceWatch {
  readonly namespace: string;
  readonly changes: ChangeQueue;
  readonly #file: DatabaseFile;
  readonly #clock: Clock;
  // Nothing until the first look, which is where "later" begins.
  #known: Map<string, number> | undefined;
  #seen: { connection: Connection | undefined; dataVersion: number } | undefined;
  #cancelLook: () => void = () => undefined;

  constructor(file: DatabaseFile, namespace: string, clock: Clock, signal: AbortSignal, onEnd: () => void) {
    this.namespace = namespace;
    this.#file = file;
    this.#clock = clock;
    this.changes = new ChangeQueue(signal, () => {
      this.#cancelLook();
      onEnd();
    });
    if (!this.changes.ended) void this.#look();
  }

  /** Passes on what this store did itself, unless a look has already found that or something newer. */
  tell(change: StoreChange, revision: number): void {
    const isPut = change.type === 'put';
    const key = isPut ? change.document.key : change.key;
    const known = this.#known?.get(key);
    if (this.#known === undefined || (known ?? (isPut ? -1 : revision)) >= revision) return;
    if (isPut) this.#known.set(key, revision);
    else this.#known.delete(key);
    this.changes.push(change);
  }

  async #look(): Promise<void> {
    try {
      await this.#file.read((connection) => this.#compare(connection));
    } catch (thrown) {
      if (!isBusy(thrown)) return this.changes.fail(thrown);
    }
    if (!this.changes.ended) this.#cancelLook = this.#clock.after(intervalMs, () => void this.#look());
  }

  #compare(connection: Connection | undefined): void {
    // Read before the documents: what changes after it is found the next time.
    const dataVersion = connection ? numberOf(connection.row('PRAGMA data_version')?.[0]) : 0;
    if (this.#seen?.connection === connection && this.#seen?.dataVersion === dataVersion) return;
    const { namespace } = this;
    const known = this.#known;
    const documents = connection === undefined ? [] : listDocuments(connection, namespace);
    this.#known = new Map(documents.map(({ key, revision }) => [key, revision]));
    this.#seen = { connection, dataVersion };
    if (known === undefined) return;
    for (const key of known.keys()) {
      if (!this.#known.has(key)) this.changes.push({ type: 'delete', namespace, key });
    }
    for (const document of documents) {
      if (known.get(document.key) !== document.revision) this.changes.push({ type: 'put', document });
    }
  }
}

function isBusy(thrown: unknown): boolean {
  return (
    isArgusError(thrown) &&
    isErrorOf(thrown.error, storeUnavailable) &&
    thrown.error.details.reason === 'busy'
  );
}
