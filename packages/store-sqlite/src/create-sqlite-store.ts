import { join, resolve } from 'node:path';
import { type Clock, type StateStore, type StructuredError, systemClock } from '@argusai/core';
import { DatabaseFile } from './database-file.js';
import { SqliteStore } from './sqlite-store.js';

/** Where a SQLite store lives and where it takes the time from. */
export interface SqliteStoreOptions {
  /** The folder of the database file `argus.db`. It is made, for its owner only, when something is first stored. */
  readonly dir: string;
  /** The machine's own clock unless another is given. */
  readonly clock?: Clock;
  /** How long a call waits while other processes write, each of which takes less than a millisecond. 10 s by default. */
  readonly busyTimeoutMs?: number;
}

/**
 * Makes a store that keeps everything in one SQLite file, shared by any number of processes. Nothing is loaded,
 * opened or created before the first call, and reading from a store that does not exist yet does not create it.
 */
export function createSqliteStore({
  dir,
  clock = systemClock,
  busyTimeoutMs = 10_000,
}: SqliteStoreOptions): StateStore & {
  /** What everybody should know of the state, such as that it was damaged. */
  notices(): readonly StructuredError[];
} {
  return new SqliteStore(new DatabaseFile(join(resolve(dir), 'argus.db'), clock, busyTimeoutMs), clock);
}
