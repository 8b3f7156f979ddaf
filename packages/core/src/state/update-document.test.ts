import { describe, expect, it } from 'vitest';
import { createMemoryStore } from './memory-store.js';
import type { StateStore } from './state-store.js';
import { updateDocument } from './update-document.js';

const addOne = (current: unknown) => Number(current ?? 0) + 1;

describe('updateDocument', () => {
  it('makes a document that is not there and returns what now stands', async () => {
    const store = createMemoryStore();
    const document = await updateDocument(store, 'namespace', 'key', addOne);
    expect(document?.value).toBe(1);
    expect(document).toEqual(await store.get('namespace', 'key'));
  });

  it('changes a document on the basis of what it is', async () => {
    const store = createMemoryStore();
    await store.put('namespace', 'key', 41);
    const document = await updateDocument(store, 'namespace', 'key', addOne);
    expect(document).toEqual(await store.get('namespace', 'key'));
    expect(document?.value).toBe(42);
  });

  it('leaves the document as it is when the change says so', async () => {
    const store = createMemoryStore();
    expect(await updateDocument(store, 'namespace', 'key', () => undefined)).toBeUndefined();
    await store.put('namespace', 'key', 1);
    const before = await store.get('namespace', 'key');
    expect(await updateDocument(store, 'namespace', 'key', () => undefined)).toEqual(before);
    expect(await store.get('namespace', 'key')).toEqual(before);
  });

  it('asks again when someone else was faster', async () => {
    const store = createMemoryStore();
    await store.put('namespace', 'key', 1);
    const seen: unknown[] = [];
    const document = await updateDocument(store, 'namespace', 'key', (current) => {
      seen.push(current);
      if (seen.length === 1) void store.put('namespace', 'key', 10);
      if (seen.length === 2) void store.delete('namespace', 'key');
      return addOne(current);
    });
    expect(seen).toEqual([1, 10, undefined]);
    expect(document?.value).toBe(1);
  });

  it('passes on what the change throws, and stores nothing', async () => {
    const store = createMemoryStore();
    const update = updateDocument(store, 'namespace', 'key', () => {
      throw new Error('no');
    });
    await expect(update).rejects.toThrow('no');
    expect(await store.get('namespace', 'key')).toBeUndefined();
  });

  it('lets timers run while it is losing', async () => {
    const store = createMemoryStore();
    let ticked = false;
    setTimeout(() => {
      ticked = true;
    });
    await updateDocument(store, 'namespace', 'key', (current) => {
      if (!ticked) void store.put('namespace', 'key', addOne(current));
      return 'done';
    });
    expect(ticked).toBe(true);
  });

  it('gives up, and says so, on a store where it can never win', async () => {
    const memory = createMemoryStore({ id: 'unfair' });
    const unfair = Object.create(memory, {
      id: { value: () => memory.id() },
      get: { value: memory.get.bind(memory) },
      put: { value: async () => ({ stored: false, current: undefined }) },
    }) as StateStore;
    await expect(updateDocument(unfair, 'circuits', 'docker', addOne)).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
      message: expect.stringContaining('circuits/docker'),
      error: { details: { store: 'unfair', reason: 'busy' } },
    });
  });
});
