import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isArgusError } from '@argusai/core';
import Database from 'libsql';
import { describe, expect, it, onTestFinished } from 'vitest';
import { smallFilesystem, whyNoMounting } from '../../../tests/support/small-filesystem.js';
import { createSqliteStore } from './create-sqlite-store.js';
import { makeFolder } from './fixtures/make-folder.js';
import { canMakeReadOnly, isRoot, makeReadOnly } from './fixtures/read-only.js';
import { whyUnusable } from './usability.js';

function open(dir: string, busyTimeoutMs = 10_000) {
  const store = createSqliteStore({ dir, busyTimeoutMs });
  onTestFinished(() => store.close());
  return store;
}

const because = (reason: string) => ({ code: 'STORE_UNAVAILABLE', error: { details: { reason } } });

/** A folder with a store that holds one document, its log beside it or not. */
async function makeStore(options: { withLog: boolean }): Promise<string> {
  const filled = makeFolder();
  await open(filled).put('namespace', 'key', 1);
  if (!options.withLog) {
    const database = new Database(join(filled, 'argus.db'));
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    database.close();
  }
  const dir = makeFolder();
  const files = options.withLog ? readdirSync(filled) : ['argus.db'];
  for (const file of files) copyFileSync(join(filled, file), join(dir, file));
  return dir;
}

const noMounting = await whyNoMounting();

describe('a store that cannot be written', () => {
  it.each(['state', 'state/below'])(
    'says that its folder is a file, whatever is tried: %s',
    async (place) => {
      const parent = makeFolder();
      const file = join(parent, 'state');
      writeFileSync(file, '');
      const dir = join(parent, place);
      const message = `The state store ${join(dir, 'argus.db')} cannot be used: ${file} is a file and no folder`;
      await expect(open(dir).put('namespace', 'key', 1)).rejects.toMatchObject({
        ...because('no-access'),
        message,
      });
      expect(whyUnusable(join(dir, 'argus.db'))).toMatchObject({ message });
    },
  );

  it.skipIf(noMounting !== undefined)('says that its disk is full', async () => {
    const dir = await smallFilesystem();
    const store = open(dir);
    await store.put('namespace', 'key', 1);
    await expect(store.put('namespace', 'long', 'x'.repeat(2_000_000))).rejects.toMatchObject(
      because('full'),
    );
    expect((await store.get('namespace', 'key'))?.value).toBe(1);
    await store.close();
  });

  it.skipIf(!canMakeReadOnly).each([{ withLog: true }, { withLog: false }])(
    'can be read when its folder is read-only (%o)',
    async (options) => {
      const dir = await makeStore(options);
      const files = readdirSync(dir);
      makeReadOnly(dir);
      const store = open(dir);
      expect((await store.get('namespace', 'key'))?.value).toBe(1);
      expect(await store.list('namespace')).toHaveLength(1);
      expect(await store.id()).toMatch(/\S/);
      await expect(store.put('namespace', 'key', 2)).rejects.toMatchObject(because('read-only'));
      await expect(store.append('stream', 2)).rejects.toMatchObject(because('read-only'));
      expect((await store.get('namespace', 'key'))?.value).toBe(1);
      expect(readdirSync(dir)).toEqual(files);
    },
  );

  it.skipIf(!canMakeReadOnly)(
    'holds nothing when nothing was stored before it became read-only',
    async () => {
      const dir = makeFolder();
      makeReadOnly(dir);
      const store = open(dir);
      expect(await store.get('namespace', 'key')).toBeUndefined();
      await expect(store.put('namespace', 'key', 1)).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
      await expect(open(join(dir, 'deeper')).put('namespace', 'key', 1)).rejects.toMatchObject({
        code: 'STORE_UNAVAILABLE',
        error: { details: { reason: isRoot ? 'read-only' : 'no-access' } },
      });
      expect(await store.list('namespace')).toEqual([]);
    },
  );

  it.skipIf(!canMakeReadOnly)('holds nothing when the file was left empty', async () => {
    const dir = makeFolder();
    writeFileSync(join(dir, 'argus.db'), '');
    makeReadOnly(dir);
    expect(await open(dir).get('namespace', 'key')).toBeUndefined();
  });

  it.skipIf(!canMakeReadOnly)('is refused when its schema is newer', async () => {
    const dir = makeFolder();
    const database = new Database(join(dir, 'argus.db'));
    database.exec('PRAGMA user_version = 99');
    database.close();
    makeReadOnly(dir);
    await expect(open(dir).get('namespace', 'key')).rejects.toMatchObject(because('newer-schema'));
  });

  it.skipIf(!isRoot)('is read by whoever may read it, and refused to others', async () => {
    const program = fileURLToPath(new URL('./fixtures/use-as-nobody.mjs', import.meta.url));
    const use = (dir: string) =>
      JSON.parse(execFileSync(process.execPath, [program, dir], { encoding: 'utf8' }));
    const dir = await makeStore({ withLog: false });
    expect(use(dir)).toEqual({
      read: ['STORE_UNAVAILABLE', 'no-access'],
      written: ['STORE_UNAVAILABLE', 'no-access'],
    });
    chmodSync(dir, 0o755);
    chmodSync(join(dir, 'argus.db'), 0o644);
    expect(use(dir)).toEqual({ read: 1, written: ['STORE_UNAVAILABLE', 'read-only'] });
    chmodSync(join(dir, 'argus.db'), 0o600);
    expect(use(dir).read).toEqual(['STORE_UNAVAILABLE', 'no-access']);
  });

  it('says so when a file is where its folder should be', async () => {
    const file = join(makeFolder(), 'file');
    writeFileSync(file, '');
    for (const dir of [file, join(file, 'deeper')]) {
      const store = open(dir);
      expect(await store.get('namespace', 'key')).toBeUndefined();
      await expect(store.put('namespace', 'key', 1)).rejects.toMatchObject(because('no-access'));
    }
  });

  it('says so when a folder is where its file should be', async () => {
    const dir = makeFolder();
    mkdirSync(join(dir, 'argus.db'));
    const error = await open(dir)
      .put('namespace', 'key', 1)
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject(because('failed'));
    expect(isArgusError(error) && error.cause).toBeInstanceOf(Error);
    expect(existsSync(join(dir, 'argus.db'))).toBe(true);
  });
});

describe('what a store says of itself before anything is stored', () => {
  const codes = (dir: string) =>
    open(dir)
      .notices()
      .map(({ code, details }) => [code, details.reason]);

  it('is nothing where one can be made, and none is made', () => {
    const dir = makeFolder();
    expect(codes(join(dir, 'deeper', 'still'))).toEqual([]);
    expect(readdirSync(dir)).toEqual([]);
  });

  it.skipIf(!canMakeReadOnly)('is that its folder is read-only, with a store in it or not', async () => {
    const [empty, filled] = [makeFolder(), await makeStore({ withLog: false })];
    makeReadOnly(empty);
    makeReadOnly(filled);
    const reason = isRoot ? 'read-only' : 'no-access';
    for (const dir of [empty, join(empty, 'deeper'), filled])
      expect(codes(dir)).toEqual([['STORE_UNAVAILABLE', reason]]);
  });

  it.skipIf(noMounting !== undefined)('is that its disk is full', async () => {
    const dir = await smallFilesystem();
    expect(codes(dir)).toEqual([]);
    expect(() => writeFileSync(join(dir, 'filler'), Buffer.alloc(2_000_000))).toThrow();
    expect(codes(dir)).toEqual([['STORE_UNAVAILABLE', 'full']]);
  });

  it.skipIf(!existsSync('/proc/self'))('is that its folder cannot be made', () => {
    expect(codes('/proc/no-such-folder/state')).toMatchObject([['STORE_UNAVAILABLE', expect.any(String)]]);
  });

  it('is that a file is where its folder should be', () => {
    const file = join(makeFolder(), 'file');
    writeFileSync(file, '');
    for (const dir of [file, join(file, 'deeper')])
      expect(codes(dir)).toMatchObject([['STORE_UNAVAILABLE', 'no-access']]);
  });
});

describe('a store that others keep busy', () => {
  it('says so after a while, and works again when they are done', async () => {
    const dir = makeFolder();
    const store = open(dir, 20);
    await store.put('namespace', 'key', 1);
    const other = new Database(join(dir, 'argus.db'));
    other.exec('BEGIN IMMEDIATE');
    await expect(store.put('namespace', 'key', 2)).rejects.toMatchObject(because('busy'));
    expect((await store.get('namespace', 'key'))?.value).toBe(1);
    other.exec('COMMIT');
    other.close();
    expect(await store.put('namespace', 'key', 2)).toMatchObject({ stored: true });
  });

  it('says so when it cannot even be made', async () => {
    const dir = makeFolder();
    const other = new Database(join(dir, 'argus.db'));
    other.exec('BEGIN EXCLUSIVE; CREATE TABLE other (n INTEGER)');
    const store = open(dir, 20);
    await expect(store.put('namespace', 'key', 1)).rejects.toMatchObject(because('busy'));
    other.exec('ROLLBACK');
    other.close();
    expect(await store.put('namespace', 'key', 1)).toMatchObject({ stored: true });
  });
});
