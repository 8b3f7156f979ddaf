import type { Clock, StructuredError } from '@argusai/core';
import type { Connection } from './connection.js';
import { damageNotice, recentlyAside } from './damage-notices.js';
import { storeId } from './documents.js';
import { accessTo, identityOf, makeFile, signatureOf } from './file-access.js';
import { isSurelyEmpty } from './held-file.js';
import { HeldNamespaces } from './held-namespaces.js';
import { noteId } from './known-ids.js';
import { loadLibsql } from './load-libsql.js';
import { type Opening, openReadOnly, openWritable } from './open-database.js';
import { setAside } from './set-aside.js';
import { isDamage, isMissing, toStoreError, unavailable } from './store-error.js';
import { requireSafe, whyUnusable } from './usability.js';

type Opened = {
  readonly connection: Connection;
  /** Whether the path still leads to what was opened. */
  readonly isCurrent: () => boolean;
};
type Writable = Opened & { readonly held: HeldNamespaces };

/** The database file: opened when it is needed, moved aside when it is damaged, opened anew when it was replaced. */
export class DatabaseFile {
  readonly path: string;
  /** What this one has moved aside itself. */
  readonly #damage: StructuredError[] = [];
  readonly #clock: Clock;
  readonly #timeout: number;
  #opening: Opening | undefined;
  #opened: Opened | Writable | undefined;
  #identity: string | undefined;
  #wrote = false;
  #closed = false;

  constructor(path: string, clock: Clock, timeout: number) {
    this.path = path;
    this.#clock = clock;
    this.#timeout = timeout;
  }

  /** Works on what is stored, or only on what is in one namespace; there is no connection when nothing is. */
  async read<Result>(
    work: (connection: Connection | undefined) => Result,
    namespace?: string,
  ): Promise<Result> {
    this.requireOpen();
    requireSafe(this.path);
    // What does not exist needs no library to be read, and loading it is most of what opening costs.
    if (this.#opening === undefined && this.#isAbsent(namespace)) return work(undefined);
    const opening = await this.#load();
    return this.#guard(opening, () => work(this.#forReading(opening)?.connection));
  }

  /** Works in a transaction of its own, in a file that is made if there is none. */
  async write<Result>(work: (connection: Connection, held: HeldNamespaces) => Result): Promise<Result> {
    this.requireOpen();
    requireSafe(this.path);
    const opening = await this.#load();
    return this.#guard(opening, () => {
      for (;;) {
        const { connection, held, isCurrent } = this.#forWriting(opening);
        const result = connection.immediately(() => work(connection, held));
        // Moved aside or removed by someone in the meantime: what was written there would be lost.
        if (!isCurrent()) continue;
        this.#wrote = true;
        held.settle();
        return result;
      }
    });
  }

  /** That nothing can be stored, and that the file was damaged and moved aside, by this process or lately by another. */
  notices(): StructuredError[] {
    const unusable = whyUnusable(this.path);
    const own = new Set(this.#damage.map(({ details }) => details.movedTo));
    const others = recentlyAside(this.path, this.#clock.now()).filter(({ path }) => !own.has(path));
    const damages = [...this.#damage, ...others.map(({ path, at }) => damageNotice(this.path, path, '', at))];
    return unusable === undefined ? damages : [unusable, ...damages];
  }

  /** Closes the file for good. */
  close(): void {
    this.#closed = true;
    try {
      if (this.#wrote && this.#opened && 'held' in this.#opened) this.#opened.held.outlastClosing();
    } catch {
      // It would only have made reading faster; whoever opens the file next finds what is wrong with it.
    }
    this.#drop();
  }

  /** Fails when the store was closed. */
  requireOpen(): void {
    if (this.#closed) throw unavailable(this.path, 'failed', `The state store ${this.path} is closed`);
  }

  #isAbsent(namespace: string | undefined): boolean {
    try {
      if (identityOf(this.path) === undefined) return true;
      return namespace !== undefined && isSurelyEmpty(this.path, namespace);
    } catch (thrown) {
      throw toStoreError(this.path, thrown);
    }
  }

  async #load(): Promise<Opening> {
    try {
      this.#opening ??= { Database: loadLibsql(), path: this.path, timeout: this.#timeout };
      return this.#opening;
    } catch (thrown) {
      throw toStoreError(this.path, thrown, 'needs libsql, which cannot be loaded');
    }
  }

  #guard<Result>(opening: Opening, attempt: () => Result): Result {
    this.requireOpen();
    for (let round = 1; ; round += 1) {
      try {
        return attempt();
      } catch (thrown) {
        // libsql leaves a statement that failed in progress, so its connection is not used again.
        this.#drop();
        if (round > 3) throw toStoreError(this.path, thrown);
        if (isDamage(thrown)) this.#setAside(opening, thrown);
        // Somebody else may have moved it aside since it was looked for; then the next look finds what took its place.
        else if (!isMissing(thrown)) throw toStoreError(this.path, thrown);
      }
    }
  }

  #forReading(opening: Opening): Opened | undefined {
    if (this.#opened?.isCurrent()) return this.#opened;
    this.#drop();
    if (identityOf(this.path) === undefined) return undefined;
    return accessTo(this.path) === 'write' ? this.#openWritable(opening) : this.#openReadOnly(opening);
  }

  #forWriting(opening: Opening): Writable {
    if (this.#opened && 'held' in this.#opened && this.#opened.isCurrent()) return this.#opened;
    this.#drop();
    makeFile(this.path);
    if (accessTo(this.path) === 'write') return this.#openWritable(opening);
    throw unavailable(this.path, 'read-only', `The state store ${this.path} cannot be written`);
  }

  #openWritable(opening: Opening): Writable {
    for (;;) {
      const identity = identityOf(this.path);
      this.#identity = identity;
      const connection = openWritable(opening, this.#clock.now());
      const isCurrent = () => identityOf(this.path) === identity;
      const held = new HeldNamespaces(this.path, connection, isCurrent);
      const opened = { connection, isCurrent, held };
      this.#opened = opened;
      // Replaced while it was opened: the connection may have got the file of one and the log of another.
      if (isCurrent()) {
        held.refresh();
        noteId(this.path, storeId(connection));
        return opened;
      }
      this.#drop();
      makeFile(this.path);
    }
  }

  #openReadOnly(opening: Opening): Opened | undefined {
    this.#identity = identityOf(this.path);
    const signature = () => `${signatureOf(this.path)} ${signatureOf(`${this.path}-wal`)}`;
    const opened = signature();
    const connection = openReadOnly(opening);
    if (connection === undefined) return undefined;
    this.#opened = { connection, isCurrent: () => signature() === opened };
    return this.#opened;
  }

  #setAside(opening: Opening, damage: unknown): void {
    const { path } = this;
    let movedTo: string | undefined;
    try {
      movedTo = setAside(opening, this.#identity, this.#clock.now());
    } catch (thrown) {
      throw toStoreError(path, thrown, 'is damaged and could not be moved aside');
    }
    if (movedTo === undefined) return;
    const why = damage instanceof Error ? damage.message : String(damage);
    this.#damage.push(damageNotice(path, movedTo, ` (${why})`, this.#clock.now()));
  }

  #drop(): void {
    this.#opened?.connection.close();
    this.#opened = undefined;
  }
}
