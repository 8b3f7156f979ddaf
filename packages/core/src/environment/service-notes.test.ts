import { expect, it } from 'vitest';
import { createMemoryStore } from '../state/memory-store.js';
import { recordOf } from './fixtures/service.js';
import { createRun, readRun } from './runs.js';
import { ServiceNotes } from './service-notes.js';

const note = (spec: string) => ({ runtime: 'model', spec, ports: [], startedAt: 0 });

it('writes what is noted at the same time together, and keeps what was there', async () => {
  const inner = createMemoryStore();
  let writes = 0;
  const store = { ...inner, put: (...args: Parameters<typeof inner.put>) => (writes++, inner.put(...args)) };
  const run = recordOf({ services: { old: note('0') } });
  await createRun(inner, run);
  const notes = new ServiceNotes(store, run);
  await Promise.all(['a', 'b', 'c'].map((name) => notes.add(name, note('1'))));
  await notes.add('a', note('2'));
  expect((await readRun(inner, run.id))?.services).toEqual({
    ...{ old: note('0'), a: note('2'), b: note('1'), c: note('1') },
  });
  expect(writes).toBe(2);
});

it('fails for those whose note could not be written, and for nobody later', async () => {
  const inner = createMemoryStore();
  const run = recordOf();
  await createRun(inner, run);
  let isFull = true;
  const store = {
    ...inner,
    put: async (...args: Parameters<typeof inner.put>) => {
      if (isFull) throw new Error('the disk is full');
      return inner.put(...args);
    },
  };
  const notes = new ServiceNotes(store, run);
  await expect(notes.add('a', note('1'))).rejects.toThrow('the disk is full');
  isFull = false;
  await notes.add('b', note('1'));
  expect(Object.keys((await readRun(inner, run.id))?.services ?? {})).toEqual(['b']);
});
