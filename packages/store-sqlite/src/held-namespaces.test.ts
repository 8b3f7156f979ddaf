import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Connection } from './connection.js';
import { createSqliteStore } from './create-sqlite-store.js';
import { stampOf } from './file-access.js';
import { bundleStore } from './fixtures/bundled-store.js';
import { callStore, type StoreCall } from './fixtures/call-store.js';
import { makeFolder } from './fixtures/make-folder.js';
import { canMakeReadOnly, makeReadOnly } from './fixtures/read-only.js';
import { isSurelyEmpty, writeHeld } from './held-file.js';
import { HeldNamespaces } from './held-namespaces.js';

const module = bundleStore();
const callOf = (dir: string, ...calls: StoreCall[]) => callStore(module, dir, calls);

function open(dir: string, busyTimeoutMs = 10_000) {
  const store = createSqliteStore({ dir, busyTimeoutMs });
  onTestFinished(() => store.close());
  return store;
}

/** A folder with a store that holds a run and no failures; whoever made it is gone. */
function makeStore(): string {
  const dir = makeFolder();
  callOf(dir, ['put', 'runs', 'one', 1], ['append', 'history', 1]);
  return dir;
}

const failure = ['get', 'failures', 'one'] as const;
const heldIn = (dir: string) => join(dir, 'argus.db-held');

describe('the record of what holds nothing', () => {
  it('is made by whoever opens a database that has none', () => {
    const dir = makeStore();
    rmSync(heldIn(dir));
    expect(callOf(dir, failure)).toEqual({ answers: [null], needed: true });
    expect(callOf(dir, failure)).toEqual({ answers: [null], needed: false });
    rmSync(heldIn(dir));
    callOf(dir, ['append', 'history', 2]);
    expect(callOf(dir, failure)).toEqual({ answers: [null], needed: false });
  });

  it('is made whole again by the next write when it is lost under a store that is open', async () => {
    const dir = makeStore();
    const store = open(dir);
    await store.get('runs', 'one');
    rmSync(heldIn(dir));
    await store.put('failures', 'one', 1);
    expect(callOf(dir, ['list', 'other'])).toEqual({ answers: [[]], needed: false });
    expect(callOf(dir, ['get', 'runs', 'one'], failure)).toEqual({ answers: [1, 1], needed: true });
  });

  it('is rid of a name too many by whoever looks there in vain', () => {
    const dir = makeStore();
    const database = join(dir, 'argus.db');
    writeHeld(database, stampOf(database) ?? '', ['runs', 'failures']);
    expect(callOf(dir, failure)).toEqual({ answers: [null], needed: true });
    expect(callOf(dir, failure)).toEqual({ answers: [null], needed: false });
  });

  it('is not believed after a backup was copied over the database', () => {
    const dir = makeStore();
    callOf(dir, ['put', 'failures', 'one', 1]);
    copyFileSync(join(dir, 'argus.db'), join(dir, 'backup'));
    callOf(dir, ['delete', 'failures', 'one']);
    expect(callOf(dir, failure)).toEqual({ answers: [null], needed: false });
    copyFileSync(join(dir, 'backup'), join(dir, 'argus.db'));
    expect(callOf(dir, failure)).toEqual({ answers: [1], needed: true });
    expect(callOf(dir, ['list', 'other'])).toEqual({ answers: [[]], needed: false });
  });

  it('is not believed when it was copied along with the database', () => {
    const dir = makeStore();
    const copy = join(makeFolder(), 'copy');
    cpSync(dir, copy, { recursive: true });
    expect(readdirSync(copy)).toContain('argus.db-held');
    expect(callOf(copy, failure)).toEqual({ answers: [null], needed: true });
    expect(callOf(copy, failure)).toEqual({ answers: [null], needed: false });
    expect(callOf(dir, failure)).toEqual({ answers: [null], needed: false });
  });

  it('has what another stored just before the write lock was taken', () => {
    const dir = makeStore();
    const database = join(dir, 'argus.db');
    class Overtaken extends Connection {
      override immediatelyOrNever(work: () => void): void {
        const other = new Database(database);
        other.exec("INSERT INTO documents VALUES ('failures', 'one', '1', 1, 1)");
        other.close();
        super.immediatelyOrNever(work);
      }
    }
    const connection = new Overtaken(new Database(database), 1000);
    rmSync(heldIn(dir));
    new HeldNamespaces(database, connection, () => true).refresh();
    expect(isSurelyEmpty(database, 'failures')).toBe(false);
    expect(isSurelyEmpty(database, 'other')).toBe(true);
    connection.close();
  });

  it('is left alone by whoever has another file open than the one that is there', () => {
    const dir = makeStore();
    const database = join(dir, 'argus.db');
    const record = readFileSync(heldIn(dir), 'utf8');
    const elsewhere = new Connection(new Database(join(makeStore(), 'argus.db')), 1000);
    const held = new HeldNamespaces(database, elsewhere, () => false);
    held.include('failures');
    expect(readFileSync(heldIn(dir), 'utf8')).toBe(record);
    rmSync(heldIn(dir));
    held.noteEmptied();
    held.settle();
    expect(existsSync(heldIn(dir))).toBe(false);
    elsewhere.close();
  });

  it('goes aside with a damaged database, and the new one gets its own', () => {
    const dir = makeStore();
    const record = readFileSync(heldIn(dir), 'utf8');
    writeFileSync(join(dir, 'argus.db'), 'garbage'.repeat(1000));
    expect(callOf(dir, failure)).toEqual({ answers: [null], needed: true });
    const aside = readdirSync(dir).filter((file) => /corrupt-.*-held$/.test(file));
    expect(aside.map((file) => readFileSync(join(dir, file), 'utf8'))).toEqual([record]);
    callOf(dir, ['put', 'runs', 'two', 2]);
    expect(callOf(dir, failure)).toEqual({ answers: [null], needed: false });
    expect(callOf(dir, ['list', 'runs'])).toEqual({ answers: [[2]], needed: true });
  });

  it.skipIf(!canMakeReadOnly)('serves also where nothing can be written, if it is there', () => {
    const dir = makeStore();
    makeReadOnly(dir);
    expect(callOf(dir, failure)).toEqual({ answers: [null], needed: false });
    expect(callOf(dir, ['get', 'runs', 'one'])).toEqual({ answers: [1], needed: true });
  });

  it.skipIf(!canMakeReadOnly)('is done without where nothing can be written, if it is not there', () => {
    const dir = makeStore();
    rmSync(heldIn(dir));
    const files = readdirSync(dir);
    makeReadOnly(dir);
    for (let round = 0; round < 2; round += 1) {
      expect(callOf(dir, failure)).toEqual({ answers: [null], needed: true });
    }
    expect(readdirSync(dir)).toEqual(files);
  });

  it('is left for later when someone else is writing, without waiting for them', async () => {
    const dir = makeStore();
    rmSync(heldIn(dir));
    const other = new Database(join(dir, 'argus.db'));
    other.exec('BEGIN IMMEDIATE');
    // Whoever waited would wait longer than this test may take.
    const store = open(dir, 40_000);
    expect(await store.get('failures', 'one')).toBeUndefined();
    expect(existsSync(heldIn(dir))).toBe(false);
    other.exec('ROLLBACK');
    other.close();
    expect(await store.put('failures', 'one', 1)).toMatchObject({ stored: true });
    expect(isSurelyEmpty(join(dir, 'argus.db'), 'other')).toBe(true);
    expect((await open(dir).get('failures', 'one'))?.value).toBe(1);
  });

  it('is removed by a write that cannot replace it, which is stored all the same', async () => {
    const dir = makeStore();
    mkdirSync(`${heldIn(dir)}.${process.pid}.new`);
    expect(await open(dir).put('failures', 'one', 1)).toMatchObject({ stored: true });
    expect(existsSync(heldIn(dir))).toBe(false);
    expect((await open(dir).get('failures', 'one'))?.value).toBe(1);
    expect(await open(dir).delete('failures', 'one')).toMatchObject({ stored: true });
    expect(await open(dir).get('failures', 'one')).toBeUndefined();
  });

  it('fails a write, but no read, when it can be neither replaced nor removed', async () => {
    const dir = makeStore();
    rmSync(heldIn(dir));
    mkdirSync(heldIn(dir));
    const store = open(dir);
    expect(await store.get('runs', 'one')).toMatchObject({ value: 1 });
    await expect(store.put('failures', 'one', 1)).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    expect(await store.get('failures', 'one')).toBeUndefined();
    expect(await store.put('runs', 'one', 2)).toMatchObject({ stored: true });
  });
});
