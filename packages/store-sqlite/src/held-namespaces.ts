import type { Connection } from './connection.js';
import { listNamespaces } from './documents.js';
import { stampOf } from './file-access.js';
import { readHeld, removeHeld, writeHeld } from './held-file.js';

/**
 * Keeps the record of the namespaces that hold documents, for readers who would rather not open the database. A
 * namespace with a document is in the record, or there is none: it is put in before a document can be seen, and taken
 * out after the last one can no longer be, each time by whoever holds the write lock. One too many does no harm.
 */
export class HeldNamespaces {
  readonly #database: string;
  readonly #connection: Connection;
  readonly #isCurrent: () => boolean;
  #mayBeFewer = false;

  constructor(database: string, connection: Connection, isCurrent: () => boolean) {
    this.#database = database;
    this.#connection = connection;
    this.#isCurrent = isCurrent;
  }

  /** Puts a namespace in; called within the transaction that stores its first document, before it does. */
  include(namespace: string): void {
    const stamp = this.#stamp();
    if (stamp === undefined) return;
    const held = readHeld(this.#database, stamp);
    if (held?.includes(namespace)) return;
    const namespaces = new Set(held ?? listNamespaces(this.#connection)).add(namespace);
    try {
      writeHeld(this.#database, stamp, [...namespaces]);
    } catch {
      // On a full disk, say. No record is as good as a right one; a wrong one that cannot be removed fails the write.
      removeHeld(this.#database);
    }
  }

  /** Notes, within a transaction that removes documents, that their namespace is empty if it is committed. */
  noteEmptied(): void {
    this.#mayBeFewer = true;
  }

  /** Takes out what a transaction that has been committed has emptied. */
  settle(): void {
    if (!this.#mayBeFewer) return;
    this.#mayBeFewer = false;
    this.refresh();
  }

  /** Makes the record anew if it is not exact. Left for another time when someone else is writing. */
  refresh(): void {
    if (this.#isExact()) return;
    this.#connection.immediatelyOrNever(() => {
      const stamp = this.#stamp();
      const namespaces = listNamespaces(this.#connection);
      if (stamp === undefined) return;
      try {
        writeHeld(this.#database, stamp, namespaces);
      } catch {
        // Then it stays as it was: names too many, or a stamp that nobody trusts.
      }
    });
  }

  /**
   * Makes the record last beyond the closing of the database, which would otherwise change the file that the record
   * is of, as everyone who is the last to close it copies the log into it.
   */
  outlastClosing(): void {
    this.#connection.execute('PRAGMA wal_checkpoint(PASSIVE)');
    this.refresh();
  }

  #isExact(): boolean {
    const held = readHeld(this.#database, this.#stamp());
    if (held === undefined) return false;
    const namespaces = new Set(listNamespaces(this.#connection));
    return held.length === namespaces.size && held.every((namespace) => namespaces.has(namespace));
  }

  /** Nothing when the path leads elsewhere by now: what is there has writers of its own, and another lock. */
  #stamp(): string | undefined {
    const stamp = stampOf(this.#database);
    // Asked afterwards: whatever was replaced does not come back, so the stamp is of what is open here.
    return this.#isCurrent() ? stamp : undefined;
  }
}
