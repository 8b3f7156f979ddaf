import { pathToFileURL } from 'node:url';
import { safely, textOf } from './column.js';
import { Connection, type DatabaseConstructor } from './connection.js';
import { sizeOf } from './file-access.js';
import { migrate, migrations } from './migrations.js';
import { damage, isBusy, unavailable } from './store-error.js';

/** What it takes to open a database. */
export interface Opening {
  readonly Database: DatabaseConstructor;
  readonly path: string;
  /** How long to wait for others. */
  readonly timeout: number;
}

/** Files up to this size are looked through when they are opened, which takes less than a millisecond. */
const cheapToCheck = 256 * 1024;

/** Opens a file for reading and writing and brings its schema up to date. */
export function openWritable(opening: Opening, now: number): Connection {
  const { Database, path, timeout } = opening;
  refuseNewer(opening);
  const connection = new Connection(new Database(path, { timeout }), timeout);
  try {
    enterWalMode(connection, timeout);
    connection.execute('PRAGMA synchronous = NORMAL');
    if (sizeOf(path) <= cheapToCheck) check(connection);
    migrate(connection, now);
    return connection;
  } catch (thrown) {
    connection.close();
    throw thrown;
  }
}

/** Opens a file that cannot be written. Nothing when no schema was ever put into it. */
export function openReadOnly({ Database, path, timeout }: Opening): Connection | undefined {
  const connection = new Connection(new Database(readOnlyUri(path), { timeout }), timeout);
  try {
    const version = connection.schemaVersion();
    if (version === migrations.length) return connection;
    if (version > migrations.length) throw newer(path, version);
    if (version > 0) {
      const message = `The state store ${path} has to be upgraded before it is read, but it cannot be written`;
      throw unavailable(path, 'read-only', message);
    }
  } catch (thrown) {
    connection.close();
    throw thrown;
  }
  connection.close();
  return undefined;
}

/** Looks before the file is opened for writing, because closing it again could already change it. */
function refuseNewer({ Database, path, timeout }: Opening): void {
  if (sizeOf(path) === 0) return;
  const connection = new Connection(new Database(readOnlyUri(path), { timeout }), timeout);
  let version = 0;
  try {
    version = connection.schemaVersion();
  } catch {
    // Damaged, or being made at this moment: opening it in earnest tells which.
  } finally {
    connection.close();
  }
  if (version > migrations.length) throw newer(path, version);
}

function newer(path: string, version: number) {
  const known = migrations.length;
  const message = `The state store ${path} was written by a newer argus (schema ${version}, this one knows ${known})`;
  return unavailable(path, 'newer-schema', message);
}

/** Without a log beside the file, SQLite would have to create one even to read; `immutable` spares it that. */
function readOnlyUri(path: string): string {
  const immutable = sizeOf(`${path}-wal`) === 0 ? '&immutable=1' : '';
  return `${pathToFileURL(path).href}?mode=ro${immutable}`;
}

/** SQLite does not wait for others when a database changes its journal mode, so this does. */
function enterWalMode(connection: Connection, timeout: number): void {
  const pauseMs = 5;
  for (let waited = 0; ; waited += pauseMs) {
    try {
      connection.execute('PRAGMA journal_mode = WAL');
      return;
    } catch (thrown) {
      if (!isBusy(thrown) || waited >= timeout) throw thrown;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
    }
  }
}

function check(connection: Connection): void {
  const sql = `SELECT ${safely.text('quick_check')} FROM pragma_quick_check(1)`;
  const verdict = textOf(connection.row(sql)?.[0]);
  if (verdict !== 'ok') throw damage(verdict);
}
