import type { Json } from '../model/json.js';

/** A document as it was stored. */
export interface StoredDocument<Value extends Json = Json> {
  readonly namespace: string;
  readonly key: string;
  readonly value: Value;
  /** Grows with every write to the store and is never used twice, not even after a deletion. */
  readonly revision: number;
  /** Milliseconds since the epoch. */
  readonly updatedAt: number;
}

/** What a conditional write did: it was stored, or someone else was there first. */
export type WriteResult =
  | { readonly stored: true; readonly revision: number }
  | { readonly stored: false; readonly current: StoredDocument | undefined };

/** The condition of a write: the revision that was read, or `absent` for a document that must not exist yet. */
export type WriteCondition = { readonly ifRevision?: number | 'absent' };

/** One entry of an append-only stream. */
export interface StreamEntry<Value extends Json = Json> {
  /** Grows by entry; unique within the stream. */
  readonly sequence: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly value: Value;
}

/** How much of a stream is kept. It is applied with each append. */
export interface Retention {
  readonly maxEntries?: number;
  readonly maxAgeMs?: number;
}

/** A change that a watcher is told of. */
export type StoreChange =
  | { readonly type: 'put'; readonly document: StoredDocument }
  | { readonly type: 'delete'; readonly namespace: string; readonly key: string };

/**
 * Where argus remembers: documents with compare-and-set, and append-only streams. Every driver passes the
 * contract suite of `@argusai/core/testing`.
 */
export interface StateStore {
  /** The store's own identity, given when it was first made. Two stores never share one. */
  id(): Promise<string>;
  /** The newest version of a document. */
  get(namespace: string, key: string): Promise<StoredDocument | undefined>;
  /** All documents of a namespace, by key. */
  list(namespace: string): Promise<StoredDocument[]>;
  /** Stores a document, or does not, when the condition no longer holds. */
  put(namespace: string, key: string, value: Json, condition?: WriteCondition): Promise<WriteResult>;
  /** Removes a document. `stored` is true when it is gone, also when there was none. */
  delete(namespace: string, key: string, condition?: WriteCondition): Promise<WriteResult>;
  /** Appends to a stream and drops what its retention no longer covers. */
  append(stream: string, value: Json, retention?: Retention): Promise<StreamEntry>;
  /** Entries in order, after a sequence number; with `last`, only that many of the newest. */
  read(
    stream: string,
    options?: { readonly after?: number; readonly last?: number },
  ): Promise<StreamEntry[]>;
  /** Every later change in a namespace, made by this process or another, until the signal aborts. */
  watch(namespace: string, signal: AbortSignal): AsyncIterable<StoreChange>;
  /** Releases what the store holds. Calling it twice is fine. */
  close(): Promise<void>;
}
