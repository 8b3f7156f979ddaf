import type { StructuredError } from '../model/error-code.js';
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
  | { readonly stored: true; readonly revision: number; readonly updatedAt: number }
  | { readonly stored: false; readonly current: StoredDocument | undefined };

/** The condition of a write: the revision that was read, or `absent` for a document that must not exist yet. */
export type WriteCondition = { readonly ifRevision?: number | 'absent' };

/** One entry of an append-only stream. */
export interface StreamEntry<Value extends Json = Json> {
  /** Grows with every entry, not always by one, and is never used twice in a stream. */
  readonly sequence: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly value: Value;
}

/** How much of a stream is kept. It is applied with each append. */
export interface Retention {
  /** Only this many of the newest entries. */
  readonly maxEntries?: number;
  /** Only entries that are at most this old. */
  readonly maxAgeMs?: number;
}

/** Which entries of a stream to read. */
export interface ReadOptions {
  /** Only entries with a greater sequence number. */
  readonly after?: number;
  /** Only this many of the newest. */
  readonly last?: number;
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
  /**
   * The identities of stores that were in this one's place before, such as one that was damaged. What they remembered is
   * lost: that there is no record of a run of theirs does not say that it is over.
   */
  formerIds?(): Promise<readonly string[]>;
  /** The newest version of a document. */
  get(namespace: string, key: string): Promise<StoredDocument | undefined>;
  /** All documents of a namespace, by key. */
  list(namespace: string): Promise<StoredDocument[]>;
  /** Stores a document, or does not, when the condition no longer holds. */
  put(namespace: string, key: string, value: Json, condition?: WriteCondition): Promise<WriteResult>;
  /**
   * Removes a document. `stored` is true when it is gone, also when there was none; nothing is written then,
   * and the revision is that of the newest write to the store.
   */
  delete(namespace: string, key: string, condition?: WriteCondition): Promise<WriteResult>;
  /** Appends to a stream and drops what its retention no longer covers. */
  append(stream: string, value: Json, retention?: Retention): Promise<StreamEntry>;
  /** Entries in order, after a sequence number; with `last`, only that many of the newest. */
  read(stream: string, options?: ReadOptions): Promise<StreamEntry[]>;
  /**
   * Every later change in a namespace, made by this process or another, until the signal aborts or the store is
   * closed. What another process did to one document in a short time may be told as one change.
   */
  watch(namespace: string, signal: AbortSignal): AsyncIterable<StoreChange>;
  /** Releases what the store holds. Calling it twice is fine; any other call after it is refused. */
  close(): Promise<void>;
  /** What users should know about the store itself, such as a damaged file that was moved aside. */
  notices?(): readonly StructuredError[];
}
