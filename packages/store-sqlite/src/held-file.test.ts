import {
  copyFileSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { stampOf } from './file-access.js';
import { makeFolder } from './fixtures/make-folder.js';
import { isSurelyEmpty, readHeld, removeHeld, writeHeld } from './held-file.js';

const age = 1_000_000_000;

/** A file in the place of a database, with a record that names one namespace. */
function makeRecord(): string {
  const database = join(makeFolder(), 'argus.db');
  writeFileSync(database, 'content');
  utimesSync(database, age, age);
  writeHeld(database, stampOf(database) ?? '', ['held']);
  return database;
}

/** Changes one part of the record and leaves the rest. */
function changePart(database: string, index: number, part: unknown): void {
  const record = JSON.parse(readFileSync(`${database}-held`, 'utf8'));
  record[index] = part;
  writeFileSync(`${database}-held`, JSON.stringify(record));
}

describe('the record of the namespaces that hold something', () => {
  it('tells of a namespace that is not in it that it is empty', () => {
    const database = makeRecord();
    expect(readHeld(database, stampOf(database))).toEqual(['held']);
    expect([isSurelyEmpty(database, 'held'), isSurelyEmpty(database, 'other')]).toEqual([false, true]);
  });

  it.skipIf(process.platform === 'win32')('can be read by the owner only', () => {
    expect(statSync(`${makeRecord()}-held`).mode & 0o777).toBe(0o600);
  });

  it('tells nothing when it is not there', () => {
    const database = makeRecord();
    removeHeld(database);
    removeHeld(database);
    expect(isSurelyEmpty(database, 'other')).toBe(false);
  });

  it('tells nothing when there is no database', () => {
    const database = makeRecord();
    renameSync(database, `${database}-elsewhere`);
    expect(readHeld(database, stampOf(database))).toBeUndefined();
    expect(isSurelyEmpty(database, 'other')).toBe(false);
  });

  it.each([
    ['cut off', '["schema 1","'],
    ['empty', ''],
    ['full of zeros', '\0'.repeat(100)],
    ['no list', '{}'],
    ['an empty list', '[]'],
  ])('tells nothing when it is %s', (_, text) => {
    const database = makeRecord();
    writeFileSync(`${database}-held`, text);
    expect(isSurelyEmpty(database, 'other')).toBe(false);
  });

  it.each([
    ['of another schema', 0, 'schema 99'],
    ['of another file', 1, '1:2:3:4'],
    ['from before the machine was last started', 2, '5f0c1c1e-0000-4000-8000-000000000001'],
    ['of a form that is not known', 3, { name: 'held' }],
  ])('tells nothing when it is %s', (_, index, part) => {
    const database = makeRecord();
    expect(isSurelyEmpty(database, 'other')).toBe(true);
    changePart(database, index, part);
    expect(isSurelyEmpty(database, 'other')).toBe(false);
  });

  it('tells nothing when it is a folder', () => {
    const database = makeRecord();
    removeHeld(database);
    mkdirSync(`${database}-held`);
    expect(isSurelyEmpty(database, 'other')).toBe(false);
  });

  it.each([
    ['copied into the file', (backup: string, database: string) => copyFileSync(backup, database)],
    ['moved over the file', (backup: string, database: string) => renameSync(backup, database)],
  ])('tells nothing after something else was %s, even of the same size and age', async (_, restore) => {
    const database = makeRecord();
    const backup = `${database}-backup`;
    writeFileSync(backup, 'another');
    // Longer than the file system takes to tell one moment from the next.
    await sleep(20);
    restore(backup, database);
    utimesSync(database, age, age);
    expect(isSurelyEmpty(database, 'other')).toBe(false);
  });
});
