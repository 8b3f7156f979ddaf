import { expect, it } from 'vitest';
import { createMemoryStore } from '../../state/memory-store.js';
import type { StateStore } from '../../state/state-store.js';
import { recordOf } from '../fixtures/service.js';
import { createRun, readRun } from './runs.js';
import { ServiceNotes } from './service-notes.js';

const note = (spec: string) => ({ runtime: 'model', spec, ports: [], startedAt: 0 });

/** A store that does something before each write. */
function storeWith(beforePut: () => void): { inner: StateStore; store: StateStore } {
  const inner = createMemoryStore();
  const store = new Proxy(inner, {
    get: (_, name: keyof StateStore) => {
      if (name === 'put') beforePut();
      return inner[name]?.bind(inner);
    },
  });
  return { inner, store };
}

it('writes what is noted at the same time together, and keeps what was there', async () => {
  let writes = 0;
  const { inner, store } = storeWith(() => {
    writes++;
  });
  const run = recordOf({ services: { old: note('0') } });
  await createRun(inner, run);
  const notes = new ServiceNotes(store, run);
  await Promise.all(['a', 'b', 'c'].map((name) => notes.add(name, note('1'))));
  await notes.add('a', note('2'));
  expect((await readRun(inner, run.id))?.services).toEqual({
    old: note('0'),
    a: note('2'),
    b: note('1'),
    c: note('1'),
  });
  expect(writes).toBe(2);
});

it('fails for those whose note could not be written, and for nobody later', async () => {
  let isFull = true;
  const { inner, store } = storeWith(() => {
    if (isFull) throw new Error('the disk is full');
  });
  const run = recordOf();
  await createRun(inner, run);
  const notes = new ServiceNotes(store, run);
  await expect(notes.add('a', note('1'))).rejects.toThrow('the disk is full');
  isFull = false;
  await notes.add('b', note('1'));
  expect(Object.keys((await readRun(inner, run.id))?.services ?? {})).toEqual(['b']);
});
