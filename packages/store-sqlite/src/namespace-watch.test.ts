import { join } from 'node:path';
import { type Clock, systemClock } from '@argusai/core';
import Database from 'libsql';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createSqliteStore } from './create-sqlite-store.js';
import { makeFolder } from './fixtures/make-folder.js';

/** A clock whose pending calls are made when the test says so. */
function steppedClock(): Clock & { step(): void; pending(): number } {
  let calls: (() => void)[] = [];
  return {
    ...systemClock,
    after(_, callback) {
      calls.push(callback);
      return () => {
        calls = calls.filter((call) => call !== callback);
      };
    },
    step() {
      for (const call of calls.splice(0)) call();
    },
    pending: () => calls.length,
  };
}

function open(dir: string, clock: Clock = systemClock) {
  const store = createSqliteStore({ dir, clock });
  onTestFinished(() => store.close());
  return store;
}

/** Lets everything run that is ready to. */
const settle = () => new Promise((resolve) => setTimeout(resolve));

describe('watching a SQLite store', () => {
  it('begins before there is a file, and finds what others then put into it', async () => {
    const dir = join(makeFolder(), 'later');
    const changes = open(dir).watch('namespace', new AbortController().signal)[Symbol.asyncIterator]();
    await open(dir).put('namespace', 'key', 1);
    expect((await changes.next()).value).toMatchObject({ type: 'put', document: { key: 'key', value: 1 } });
  });

  it('looks for what others did at intervals, as one change for each document', async () => {
    const dir = makeFolder();
    const clock = steppedClock();
    const [mine, theirs] = [open(dir, clock), open(dir)];
    await mine.put('namespace', 'gone', 1);
    const changes = mine.watch('namespace', new AbortController().signal)[Symbol.asyncIterator]();
    await settle();
    for (const value of [1, 2, 3]) await theirs.put('namespace', 'key', value);
    await theirs.delete('namespace', 'gone');
    await theirs.put('namespace', 'brief', 1);
    await theirs.delete('namespace', 'brief');
    await mine.put('namespace', 'mine', 1);
    clock.step();
    const told = [await changes.next(), await changes.next(), await changes.next()].map(({ value }) => value);
    expect(told).toMatchObject([
      { type: 'put', document: { key: 'mine' } },
      { type: 'delete', key: 'gone' },
      { type: 'put', document: { key: 'key', value: 3 } },
    ]);
    await settle();
    clock.step();
    await mine.delete('namespace', 'mine');
    expect((await changes.next()).value).toMatchObject({ type: 'delete', key: 'mine' });
  });

  it('stops looking when the watch is over', async () => {
    const clock = steppedClock();
    const store = open(makeFolder(), clock);
    const [one, two] = [new AbortController(), new AbortController()];
    store.watch('namespace', one.signal);
    store.watch('namespace', two.signal);
    store.watch('namespace', AbortSignal.abort());
    await settle();
    expect(clock.pending()).toBe(2);
    one.abort();
    expect(clock.pending()).toBe(1);
    await store.close();
    expect(clock.pending()).toBe(0);
  });

  it('ends with the error when the store can no longer be read', async () => {
    const dir = makeFolder();
    const changes = open(dir).watch('namespace', new AbortController().signal)[Symbol.asyncIterator]();
    const database = new Database(join(dir, 'argus.db'));
    database.exec('PRAGMA user_version = 99');
    database.close();
    await expect(changes.next()).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    expect(await changes.next()).toEqual({ done: true, value: undefined });
  });
});
