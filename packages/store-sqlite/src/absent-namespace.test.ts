import { join } from 'node:path';
import * as fc from 'fast-check';
import Database from 'libsql';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createSqliteStore } from './create-sqlite-store.js';
import { bundleStore } from './fixtures/bundled-store.js';
import { callStore, type StoreCall } from './fixtures/call-store.js';
import { makeFolder } from './fixtures/make-folder.js';
import { isSurelyEmpty } from './held-file.js';

const module = bundleStore();
const callOf = (dir: string, ...calls: StoreCall[]) => callStore(module, dir, calls);

function open(dir: string) {
  const store = createSqliteStore({ dir });
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

describe('a namespace that holds nothing', () => {
  it('is read without libsql, and one that holds something is not', () => {
    const dir = makeStore();
    expect(callOf(dir, failure, ['list', 'failures'])).toEqual({ answers: [null, []], needed: false });
    expect(callOf(dir, ['get', 'runs', 'one'])).toEqual({ answers: [1], needed: true });
    expect(callOf(dir, failure)).toEqual({ answers: [null], needed: false });
  });

  it('stops and begins to be such with the first document and the last', () => {
    const dir = makeStore();
    callOf(dir, ['put', 'failures', 'one', 1], ['put', 'failures', 'two', 2], ['delete', 'failures', 'two']);
    expect(callOf(dir, failure)).toEqual({ answers: [1], needed: true });
    callOf(dir, ['delete', 'failures', 'one']);
    expect(callOf(dir, failure)).toEqual({ answers: [null], needed: false });
  });

  it('is told from others whatever their names are', async () => {
    const dir = makeFolder();
    const writer = open(dir);
    await writer.put('runs', 'one', 1);
    const name = fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => !text.includes('\0'));
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(name, { minLength: 2, maxLength: 4 }),
        async ([first = '', ...rest]) => {
          for (const namespace of rest) await writer.put(namespace, 'key', 1);
          for (const namespace of rest) expect(await open(dir).list(namespace)).toHaveLength(1);
          expect(await open(dir).list(first)).toEqual([]);
          expect(isSurelyEmpty(join(dir, 'argus.db'), first)).toBe(true);
          for (const namespace of rest) await writer.delete(namespace, 'key');
        },
      ),
      {
        numRuns: 30,
        examples: [[['..', '.', '/', 'runs/one', '"']], [['constructor', 'é', 'e\u0301', 'É']]],
      },
    );
  });

  it('is looked up in the database by a store that has it open', async () => {
    const dir = makeStore();
    const store = open(dir);
    await store.get('runs', 'one');
    const other = new Database(join(dir, 'argus.db'));
    other.exec("INSERT INTO documents VALUES ('failures', 'one', '1', 1, 1)");
    other.close();
    expect((await store.get('failures', 'one'))?.value).toBe(1);
  });

  it('is not answered ahead of a watch that was begun before', async () => {
    const dir = makeStore();
    const [mine, theirs] = [open(dir), open(dir)];
    const changes = mine.watch('failures', new AbortController().signal)[Symbol.asyncIterator]();
    await mine.get('failures', 'one');
    await theirs.put('failures', 'one', 1);
    expect((await changes.next()).value).toMatchObject({ type: 'put', document: { key: 'one' } });
  });
});
