import {
  type Clock,
  type Json,
  type ReadOptions,
  type Retention,
  requireCondition,
  requireNames,
  requireReadOptions,
  requireRetention,
  type StateStore,
  type StoreChange,
  type StoredDocument,
  type StreamEntry,
  type StructuredError,
  toStoredText,
  type WriteCondition,
  type WriteResult,
} from '@argusai/core';
import type { DatabaseFile } from './database-file.js';
import {
  findDocument,
  fromStoredText,
  hasDocuments,
  holds,
  listDocuments,
  newestRevision,
  removeDocument,
  storeId,
  writeDocument,
} from './documents.js';
import { appendEntry, readEntries } from './entries.js';
import { readIds } from './known-ids.js';
import { NamespaceWatch } from './namespace-watch.js';

/** The state store over one database file. */
export class SqliteStore implements StateStore {
  readonly #file: DatabaseFile;
  readonly #clock: Clock;
  readonly #watches = new Set<NamespaceWatch>();

  constructor(file: DatabaseFile, clock: Clock) {
    this.#file = file;
    this.#clock = clock;
  }

  async id(): Promise<string> {
    const id = await this.#file.read((connection) => connection && storeId(connection));
    return id ?? this.#file.write(storeId);
  }

  async formerIds(): Promise<readonly string[]> {
    // Reading creates nothing: without a database all that were ever here are gone.
    const id = await this.#file.read((connection) => connection && storeId(connection));
    return readIds(this.#file.path).filter((one) => one !== id);
  }

  async get(namespace: string, key: string): Promise<StoredDocument | undefined> {
    requireNames({ namespace, key });
    return this.#file.read((connection) => connection && findDocument(connection, namespace, key), namespace);
  }

  async list(namespace: string): Promise<StoredDocument[]> {
    requireNames({ namespace });
    return this.#file.read(
      (connection) => (connection ? listDocuments(connection, namespace) : []),
      namespace,
    );
  }

  async put(
    namespace: string,
    key: string,
    value: Json,
    condition: WriteCondition = {},
  ): Promise<WriteResult> {
    requireNames({ namespace, key });
    requireCondition(condition);
    const text = toStoredText(value);
    const result = await this.#file.write((connection, held): WriteResult => {
      const current = findDocument(connection, namespace, key);
      if (!holds(condition, current)) return { stored: false, current };
      if (current === undefined) held.include(namespace);
      const updatedAt = this.#clock.now();
      return {
        stored: true,
        revision: writeDocument(connection, namespace, key, text, updatedAt),
        updatedAt,
      };
    });
    if (result.stored) {
      const { revision, updatedAt } = result;
      this.#tell(namespace, revision, () => {
        const document = { namespace, key, value: fromStoredText(text), revision, updatedAt };
        return { type: 'put', document };
      });
    }
    return result;
  }

  async delete(namespace: string, key: string, condition: WriteCondition = {}): Promise<WriteResult> {
    requireNames({ namespace, key });
    requireCondition(condition);
    let wasThere = false;
    const result = await this.#file.write((connection, held): WriteResult => {
      const current = findDocument(connection, namespace, key);
      if (!holds(condition, current)) return { stored: false, current };
      wasThere = current !== undefined;
      const updatedAt = this.#clock.now();
      const revision = wasThere ? removeDocument(connection, namespace, key) : newestRevision(connection);
      if (wasThere && !hasDocuments(connection, namespace)) held.noteEmptied();
      return { stored: true, revision, updatedAt };
    });
    if (result.stored && wasThere) {
      this.#tell(namespace, result.revision, () => ({ type: 'delete', namespace, key }));
    }
    return result;
  }

  async append(stream: string, value: Json, retention: Retention = {}): Promise<StreamEntry> {
    requireNames({ stream });
    requireRetention(retention);
    const text = toStoredText(value);
    return this.#file.write((connection) =>
      appendEntry(connection, stream, text, this.#clock.now(), retention),
    );
  }

  async read(stream: string, options: ReadOptions = {}): Promise<StreamEntry[]> {
    requireNames({ stream });
    requireReadOptions(options);
    return this.#file.read((connection) => (connection ? readEntries(connection, stream, options) : []));
  }

  watch(namespace: string, signal: AbortSignal): AsyncIterable<StoreChange> {
    this.#file.requireOpen();
    requireNames({ namespace });
    const onEnd = () => this.#watches.delete(watch);
    const watch = new NamespaceWatch(this.#file, namespace, this.#clock, signal, onEnd);
    if (!watch.changes.ended) this.#watches.add(watch);
    return watch.changes;
  }

  async close(): Promise<void> {
    for (const watch of [...this.#watches]) watch.changes.end();
    this.#file.close();
  }

  notices(): readonly StructuredError[] {
    return this.#file.notices();
  }

  #tell(namespace: string, revision: number, change: () => StoreChange): void {
    for (const watch of this.#watches) if (watch.namespace === namespace) watch.tell(change(), revision);
  }
}
