import { randomUUID } from 'node:crypto';
import { ArgusError } from '../model/argus-error.js';
import { storeUnavailable } from '../model/core-error-codes.js';
import type { Json } from '../model/json.js';
import { type Clock, systemClock } from '../time/clock.js';
import { ChangeQueue } from './change-queue.js';
import type {
  ReadOptions,
  Retention,
  StateStore,
  StoreChange,
  StoredDocument,
  StreamEntry,
  WriteCondition,
  WriteResult,
} from './state-store.js';
import {
  requireCondition,
  requireNames,
  requireReadOptions,
  requireRetention,
  toStoredText,
} from './storable.js';

// Values are kept as text, so what a caller does to a value it gave or got never reaches the store.
type Kept<Item extends { readonly value: Json }> = Omit<Item, 'value'> & { readonly text: string };

/** Makes a store that lasts as long as the process: for tests, and for when nothing may be written. */
export function createMemoryStore(
  options: { readonly clock?: Clock; readonly id?: string; readonly formerIds?: readonly string[] } = {},
): StateStore {
  const { clock = systemClock, id = randomUUID(), formerIds = [] } = options;
  return new MemoryStore(clock, id, formerIds);
}

class MemoryStore implements StateStore {
  readonly #clock: Clock;
  readonly #id: string;
  readonly #formerIds: readonly string[];
  readonly #namespaces = new Map<string, Map<string, Kept<StoredDocument>>>();
  readonly #streams = new Map<string, Kept<StreamEntry>[]>();
  readonly #watchers = new Map<ChangeQueue, string>();
  #revision = 0;
  #closed = false;

  constructor(clock: Clock, id: string, formerIds: readonly string[]) {
    this.#clock = clock;
    this.#id = id;
    this.#formerIds = formerIds;
  }

  async id(): Promise<string> {
    this.#requireOpen();
    return this.#id;
  }

  async formerIds(): Promise<readonly string[]> {
    this.#requireOpen();
    return this.#formerIds;
  }

  async get(namespace: string, key: string): Promise<StoredDocument | undefined> {
    this.#requireOpen();
    requireNames({ namespace, key });
    return this.#find(namespace, key);
  }

  async list(namespace: string): Promise<StoredDocument[]> {
    this.#requireOpen();
    requireNames({ namespace });
    const documents = [...(this.#namespaces.get(namespace)?.values() ?? [])];
    return documents.sort((a, b) => (a.key < b.key ? -1 : 1)).map(givenOut);
  }

  async put(
    namespace: string,
    key: string,
    value: Json,
    condition: WriteCondition = {},
  ): Promise<WriteResult> {
    this.#requireOpen();
    requireNames({ namespace, key });
    requireCondition(condition);
    const text = toStoredText(value);
    const current = this.#find(namespace, key);
    if (!holds(condition, current)) return { stored: false, current };
    const write = this.#nextWrite();
    const document = { namespace, key, text, ...write };
    const documents = this.#namespaces.get(namespace) ?? new Map<string, Kept<StoredDocument>>();
    this.#namespaces.set(namespace, documents.set(key, document));
    this.#tell(namespace, () => ({ type: 'put', document: givenOut(document) }));
    return { stored: true, ...write };
  }

  async delete(namespace: string, key: string, condition: WriteCondition = {}): Promise<WriteResult> {
    this.#requireOpen();
    requireNames({ namespace, key });
    requireCondition(condition);
    const current = this.#find(namespace, key);
    if (!holds(condition, current)) return { stored: false, current };
    if (current === undefined) {
      return { stored: true, revision: this.#revision, updatedAt: this.#clock.now() };
    }
    this.#namespaces.get(namespace)?.delete(key);
    this.#tell(namespace, () => ({ type: 'delete', namespace, key }));
    return { stored: true, ...this.#nextWrite() };
  }

  async append(stream: string, value: Json, retention: Retention = {}): Promise<StreamEntry> {
    this.#requireOpen();
    requireNames({ stream });
    requireRetention(retention);
    const text = toStoredText(value);
    const { revision: sequence, updatedAt: at } = this.#nextWrite();
    const entry = { sequence, at, text };
    const { maxEntries = Number.POSITIVE_INFINITY, maxAgeMs = Number.POSITIVE_INFINITY } = retention;
    const young = [...(this.#streams.get(stream) ?? []), entry].filter((kept) => kept.at >= at - maxAgeMs);
    this.#streams.set(stream, young.slice(Math.max(0, young.length - maxEntries)));
    return givenOut(entry);
  }

  async read(stream: string, options: ReadOptions = {}): Promise<StreamEntry[]> {
    this.#requireOpen();
    requireNames({ stream });
    requireReadOptions(options);
    const { after = 0, last = Number.POSITIVE_INFINITY } = options;
    const entries = (this.#streams.get(stream) ?? []).filter(({ sequence }) => sequence > after);
    return entries.slice(Math.max(0, entries.length - last)).map(givenOut);
  }

  watch(namespace: string, signal: AbortSignal): AsyncIterable<StoreChange> {
    this.#requireOpen();
    requireNames({ namespace });
    const queue = new ChangeQueue(signal, () => this.#watchers.delete(queue));
    if (!queue.ended) this.#watchers.set(queue, namespace);
    return queue;
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const queue of [...this.#watchers.keys()]) queue.end();
  }

  #requireOpen(): void {
    if (!this.#closed) return;
    const details = { store: 'memory', reason: 'failed' as const };
    throw new ArgusError(storeUnavailable, { message: 'The state store is closed', details });
  }

  #find(namespace: string, key: string): StoredDocument | undefined {
    const kept = this.#namespaces.get(namespace)?.get(key);
    return kept === undefined ? undefined : givenOut(kept);
  }

  #nextWrite(): { revision: number; updatedAt: number } {
    this.#revision += 1;
    return { revision: this.#revision, updatedAt: this.#clock.now() };
  }

  #tell(namespace: string, change: () => StoreChange): void {
    for (const [queue, watched] of this.#watchers) if (watched === namespace) queue.push(change());
  }
}

function holds({ ifRevision }: WriteCondition, current: StoredDocument | undefined): boolean {
  return ifRevision === undefined || ifRevision === (current?.revision ?? 'absent');
}

function givenOut<Item extends { readonly text: string }>({ text, ...item }: Item) {
  return { ...item, value: JSON.parse(text) as Json };
}
