import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createSqliteStore } from './create-sqlite-store.js';
import { makeFolder } from './fixtures/make-folder.js';
import { migrations } from './migrations.js';

function open(dir: string) {
  const store = createSqliteStore({ dir });
  onTestFinished(() => store.close());
  return store;
}

function contentsOf(dir: string): Record<string, string> {
  const files = readdirSync(dir).filter((file) => !file.endsWith('-shm'));
  return Object.fromEntries(files.map((file) => [file, readFileSync(join(dir, file), 'hex')]));
}

/** A database as only `exec` leaves it: closed for good, not when garbage is collected. */
function makeDatabase(dir: string, sql: string) {
  const database = new Database(join(dir, 'argus.db'));
  database.exec(`PRAGMA journal_mode = WAL; ${sql}`);
  return database;
}

const newer = `CREATE TABLE documents (shape TEXT); PRAGMA user_version = ${migrations.length + 1}`;
const refusal = { code: 'STORE_UNAVAILABLE', error: { details: { reason: 'newer-schema' } } };

describe('the schema', () => {
  it('is refused when it is newer, and the file stays as it was, byte for byte', async () => {
    const dir = makeFolder();
    makeDatabase(dir, newer).close();
    const before = contentsOf(dir);
    expect(Object.keys(before)).toEqual(['argus.db']);
    await expect(open(dir).get('namespace', 'key')).rejects.toMatchObject(refusal);
    await expect(open(dir).put('namespace', 'key', 1)).rejects.toMatchObject(refusal);
    await expect(open(dir).id()).rejects.toMatchObject(refusal);
    expect(contentsOf(dir)).toEqual(before);
  });

  it('is refused untouched also while the newer argus that wrote it is running', async () => {
    const dir = makeFolder();
    const database = makeDatabase(dir, newer);
    const before = contentsOf(dir);
    expect(before['argus.db-wal']).not.toBe('');
    const store = open(dir);
    await expect(store.put('namespace', 'key', 1)).rejects.toMatchObject(refusal);
    await store.close();
    expect(contentsOf(dir)).toEqual(before);
    database.close();
  });

  it('is refused as well when it becomes newer under a store that waits to be opened', async () => {
    const dir = makeFolder();
    const store = open(dir);
    expect(await store.list('namespace')).toEqual([]);
    makeDatabase(dir, newer).close();
    await expect(store.list('namespace')).rejects.toMatchObject(refusal);
  });

  it('is made in a file whose maker died before it was done', async () => {
    const dir = makeFolder();
    makeDatabase(dir, 'PRAGMA user_version = 0').close();
    const store = open(dir);
    expect(await store.get('namespace', 'key')).toBeUndefined();
    expect(await store.put('namespace', 'key', 1)).toMatchObject({ stored: true });
    const database = new Database(join(dir, 'argus.db'));
    expect(database.prepare('PRAGMA user_version').raw().get()).toEqual([migrations.length]);
    database.close();
  });
});
