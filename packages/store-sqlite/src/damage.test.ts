import {
  closeSync,
  copyFileSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { type Clock, systemClock } from '@argusai/core';
import * as fc from 'fast-check';
import Database from 'libsql';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createSqliteStore } from './create-sqlite-store.js';
import { makeFolder } from './fixtures/make-folder.js';
import { canMakeReadOnly, makeReadOnly } from './fixtures/read-only.js';

const fixedClock: Clock = { ...systemClock, now: () => Date.UTC(2026, 10, 16, 3, 4, 5, 678) };
const asideName = 'argus.db.corrupt-2026-11-16T03-04-05-678Z';

function open(dir: string, clock: Clock = fixedClock) {
  const store = createSqliteStore({ dir, clock });
  onTestFinished(() => store.close());
  return store;
}

/** A folder with a sound store of several pages in a single closed file. */
async function makeStore(): Promise<string> {
  const filled = makeFolder();
  const store = createSqliteStore({ dir: filled });
  for (let n = 0; n < 60; n += 1) {
    await store.put('namespace', `key ${n}`, { n, text: 'x'.repeat(200) });
    await store.append('stream', { n, text: 'y'.repeat(100) });
  }
  await store.close();
  const database = new Database(join(filled, 'argus.db'));
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  database.close();
  const dir = makeFolder();
  copyFileSync(join(filled, 'argus.db'), join(dir, 'argus.db'));
  return dir;
}

function overwrite(path: string, position: number, bytes: Buffer | string): void {
  const file = openSync(path, 'r+');
  writeSync(file, Buffer.from(bytes), 0, undefined, position);
  closeSync(file);
}

function change(dir: string, sql: string): void {
  const database = new Database(join(dir, 'argus.db'));
  database.exec(sql);
  database.close();
}

const asideIn = (dir: string) => readdirSync(dir).filter((file) => /corrupt-.*Z(-\d+)?$/.test(file));

const damages: Record<string, (path: string) => void> = {
  'garbage instead of a database': (path) => writeFileSync(path, 'not a database at all '.repeat(500)),
  'a few bytes of garbage': (path) => writeFileSync(path, 'abc'),
  'a header with flipped bytes': (path) => overwrite(path, 0, 'SQLote'),
  'a page size that cannot be': (path) => overwrite(path, 16, Buffer.from([0xff, 0xff])),
  'a schema version that cannot be': (path) => overwrite(path, 60, Buffer.from([0x80, 0, 0, 0])),
  'an end that is missing': (path) => truncateSync(path, 4096 * 2 + 100),
  'pages that are full of zeros': (path) => overwrite(path, 4096, Buffer.alloc(4096 * 3)),
  'pages that are full of noise': (path) => overwrite(path, 4096, Buffer.alloc(4096 * 3, 0xa5)),
};

describe('a damaged file', () => {
  it.each(Object.entries(damages))('with %s is moved aside, and a new one is begun', async (_, damage) => {
    const dir = await makeStore();
    const path = join(dir, 'argus.db');
    damage(path);
    const bytes = readFileSync(path, 'hex');
    const store = open(dir);
    expect(await store.get('namespace', 'key 1')).toBeUndefined();
    expect(await store.put('namespace', 'key 1', 'new')).toMatchObject({ stored: true });
    expect((await open(dir).get('namespace', 'key 1'))?.value).toBe('new');

    expect(readFileSync(join(dir, asideName), 'hex')).toBe(bytes);
    expect(store.notices()).toMatchObject([
      {
        code: 'STORE_CORRUPT',
        severity: 'warning',
        message: expect.stringContaining(asideName),
        details: { store: path, movedTo: join(dir, asideName) },
      },
    ]);
  });

  it('is also found by the first write', async () => {
    const dir = await makeStore();
    writeFileSync(join(dir, 'argus.db'), 'garbage'.repeat(1000));
    const store = open(dir);
    expect(await store.put('namespace', 'key', 1)).toMatchObject({ stored: true });
    expect(store.notices()).toHaveLength(1);
  });

  it('never takes the place of one that was moved aside before', async () => {
    const dir = makeFolder();
    for (const content of ['first', 'second', 'third']) {
      for (const suffix of ['', '-wal', '-shm']) rmSync(join(dir, `argus.db${suffix}`), { force: true });
      writeFileSync(join(dir, 'argus.db'), content.repeat(100));
      const store = open(dir);
      await store.put('namespace', 'key', content);
      expect(store.notices().at(0)?.message).toContain('(');
      await store.close();
    }
    const contents = asideIn(dir).map((file) => readFileSync(join(dir, file), 'utf8').slice(0, 5));
    expect(asideIn(dir)).toEqual([asideName, `${asideName}-2`, `${asideName}-3`]);
    expect(contents).toEqual(['first', 'secon', 'third']);
  });

  it('takes its log along, which would otherwise be replayed into the new one', async () => {
    const dir = await makeStore();
    const path = join(dir, 'argus.db');
    const other = new Database(path);
    other.exec(`UPDATE documents SET value = 'no JSON' WHERE key = 'key 1'`);
    const log = readFileSync(`${path}-wal`, 'hex');
    expect(log).not.toBe('');
    const store = open(dir);
    expect(await store.get('namespace', 'key 1')).toBeUndefined();
    expect(await store.list('namespace')).toEqual([]);
    expect(readFileSync(join(dir, `${asideName}-wal`), 'hex')).toBe(log);
    other.close();
  });

  it.each([
    ['a value that is no JSON', `UPDATE documents SET value = '{' WHERE key = 'key 1'`],
    ['a value that is no text', `UPDATE documents SET value = CAST(x'22ff22' AS TEXT) WHERE key = 'key 1'`],
    ['no record of itself', 'DELETE FROM store'],
  ])('with %s is found while it is in use', async (_, sql) => {
    const dir = await makeStore();
    const store = open(dir);
    expect(await store.list('namespace')).toHaveLength(60);
    change(dir, sql);
    await store.get('namespace', 'key 1');
    expect(await store.put('namespace', 'key 1', 'new')).toMatchObject({ stored: true });
    expect(store.notices()).toHaveLength(1);
    expect(await store.list('namespace')).toHaveLength(1);
  });

  it('is left by everyone who had it open, and none of their writes goes to it', async () => {
    const dir = await makeStore();
    const [one, two] = [open(dir, systemClock), open(dir, systemClock)];
    const before = await one.put('namespace', 'key 2', 'old');
    change(dir, `UPDATE documents SET value = '{' WHERE key = 'key 1'`);
    expect(await two.get('namespace', 'key 1')).toBeUndefined();
    const after = await one.put('namespace', 'key 2', 'new');
    expect((await two.get('namespace', 'key 2'))?.value).toBe('new');
    expect(await one.id()).toBe(await two.id());
    // Whoever moved it aside may be a process that nobody reads, so all are told.
    expect(one.notices().map(({ code }) => code)).toEqual(['STORE_CORRUPT']);
    expect(two.notices()).toHaveLength(1);
    // A revision of the old file must not pass for one of the new.
    expect(before.stored && after.stored && after.revision > before.revision).toBe(true);
  });

  it('is told of by every process for a day, unless the file is gone', async () => {
    const dir = makeFolder();
    writeFileSync(join(dir, 'argus.db'), 'garbage'.repeat(1000));
    await open(dir).get('namespace', 'key');
    const later = (ms: number) => open(dir, { ...fixedClock, now: () => fixedClock.now() + ms }).notices();
    expect(later(0)).toMatchObject([
      { code: 'STORE_CORRUPT', timestamp: fixedClock.now(), details: { movedTo: join(dir, asideName) } },
    ]);
    expect(later(86_400_000)).toHaveLength(1);
    expect(later(86_400_001)).toEqual([]);
    rmSync(join(dir, asideName));
    expect(later(0)).toEqual([]);
  });

  it('has its id remembered as that of a former store', async () => {
    const dir = await makeStore();
    const first = await open(dir).id();
    expect(await open(dir).formerIds?.()).toEqual([]);
    writeFileSync(join(dir, 'argus.db'), 'garbage'.repeat(1000));
    const store = open(dir);
    expect(await store.formerIds?.()).toEqual([first]);
    // Asking made no new one.
    expect(readdirSync(dir)).not.toContain('argus.db');
    const second = await store.id();
    expect(second).not.toBe(first);
    expect(await store.formerIds?.()).toEqual([first]);
    rmSync(join(dir, 'argus.db'));
    expect(await open(dir).formerIds?.()).toEqual([first, second]);
  });

  it('tells watchers that what it held is gone', async () => {
    const dir = makeFolder();
    const store = open(dir);
    await store.put('namespace', 'key', 1);
    const changes = store.watch('namespace', new AbortController().signal)[Symbol.asyncIterator]();
    await store.get('namespace', 'key');
    change(dir, `UPDATE documents SET value = '{'`);
    expect((await changes.next()).value).toEqual({ type: 'delete', namespace: 'namespace', key: 'key' });
  });

  it.skipIf(!canMakeReadOnly)('that cannot be moved is an error, and stays', async () => {
    const dir = makeFolder();
    writeFileSync(join(dir, 'argus.db'), 'garbage'.repeat(1000));
    makeReadOnly(dir);
    await expect(open(dir).get('namespace', 'key')).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
      message: expect.stringContaining('damaged'),
    });
    expect(readdirSync(dir)).toEqual(['argus.db']);
  });

  it('never gives more than a clear error, whatever bytes are changed or missing', async () => {
    const sound = readFileSync(join(await makeStore(), 'argus.db'));
    const root = makeFolder();
    let runs = 0;
    const flips = fc.array(fc.tuple(fc.nat(sound.length - 1), fc.integer({ min: 1, max: 255 })), {
      maxLength: 20,
    });
    await fc.assert(
      fc.asyncProperty(flips, fc.integer({ min: 1, max: sound.length }), async (changes, length) => {
        runs += 1;
        const dir = join(root, String(runs));
        mkdirSync(dir);
        const bytes = Buffer.from(sound);
        for (const [position, mask] of changes) bytes[position] = (bytes[position] ?? 0) ^ mask;
        writeFileSync(join(dir, 'argus.db'), bytes.subarray(0, runs % 2 ? sound.length : length));
        const store = createSqliteStore({ dir });
        const calls = await Promise.allSettled([
          store.list('namespace'),
          store.read('stream'),
          store.put('namespace', 'key 1', 1),
          store.append('stream', 1, { maxEntries: 10 }),
          store.delete('namespace', 'key 2'),
          store.id(),
        ]);
        await store.close();
        for (const call of calls) {
          if (call.status === 'rejected') expect(call.reason).toMatchObject({ code: 'STORE_UNAVAILABLE' });
        }
        const kept = readdirSync(dir).filter((file) => file.includes('corrupt'));
        expect(kept.length > 0).toBe(store.notices().length > 0);
      }),
      { numRuns: 60 },
    );
  }, 60_000);
});
