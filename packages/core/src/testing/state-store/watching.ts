import { describe, expect, it } from 'vitest';
import type { StateStore, StoreChange } from '../../state/state-store.js';
import type { StateStoreDriver } from '../state-store-contract.js';
import { opened } from './opened.js';

/** Telling watchers what changes. */
export function describeWatching(driver: StateStoreDriver): void {
  describe('watching', () => {
    it('tells every later change in the namespace, in order', async () => {
      const { store } = await opened(driver);
      await store.put('namespace', 'before', 1);
      const told = collect(store, 'namespace', 4);
      await store.put('namespace', 'a', { n: 1 });
      await store.put('other', 'a', 1);
      await store.put('namespace', 'a', { n: 2 });
      await store.delete('namespace', 'before');
      await store.put('namespace', 'before', 3);
      expect((await told).map(inShort)).toEqual([
        ['put', 'a', { n: 1 }],
        ['put', 'a', { n: 2 }],
        ['delete', 'before'],
        ['put', 'before', 3],
      ]);
    });

    it('tells the document as it was stored', async () => {
      const { store } = await opened(driver);
      const told = collect(store, 'namespace', 1);
      await store.put('namespace', 'key', [1]);
      expect(await told).toEqual([{ type: 'put', document: await store.get('namespace', 'key') }]);
    });

    it('tells nothing of writes that changed nothing', async () => {
      const { store } = await opened(driver);
      await store.put('namespace', 'key', 1);
      const told = collect(store, 'namespace', 1);
      await store.put('namespace', 'key', 2, { ifRevision: 'absent' });
      await store.delete('namespace', 'nothing');
      await store.delete('namespace', 'key', { ifRevision: 'absent' });
      await store.put('namespace', 'last', 3);
      expect((await told).map(inShort)).toEqual([['put', 'last', 3]]);
    });

    it('tells each of several watchers, apart from the others', async () => {
      const { store } = await opened(driver);
      const told = Promise.all([collect(store, 'namespace', 1), collect(store, 'namespace', 2)]);
      await store.put('namespace', 'key', [1]);
      await store.put('namespace', 'key', [2]);
      const [one, two] = await told;
      expect(one.map(inShort)).toEqual([['put', 'key', [1]]]);
      expect(two.map(inShort)).toEqual([
        ['put', 'key', [1]],
        ['put', 'key', [2]],
      ]);
      expect(one[0]).not.toBe(two[0]);
    });

    it('ends when the signal aborts, also while it waits and when it was aborted before', async () => {
      const { store } = await opened(driver);
      const controller = new AbortController();
      const waiting = drain(store.watch('namespace', controller.signal));
      await store.put('namespace', 'key', 1);
      await new Promise(setImmediate);
      controller.abort();
      expect(await waiting).toHaveLength(1);
      expect(await drain(store.watch('namespace', controller.signal))).toEqual([]);
      await store.put('namespace', 'key', 2);
    });

    it('ends when the store is closed', async () => {
      const { store } = await opened(driver);
      const waiting = drain(store.watch('namespace', new AbortController().signal));
      await store.get('namespace', 'key');
      await store.close();
      expect(await waiting).toEqual([]);
    });

    it('lets go of the signal when the watcher stops by itself', async () => {
      const { store } = await opened(driver);
      const signal = new ListenedSignal();
      const told = collect(store, 'namespace', 1, signal.asSignal());
      await store.put('namespace', 'key', 1);
      await told;
      expect(signal.listeners).toBe(0);
    });
  });
}

/** Takes so many changes, then stops watching. */
async function collect(
  store: StateStore,
  namespace: string,
  count: number,
  signal = new AbortController().signal,
): Promise<StoreChange[]> {
  const changes: StoreChange[] = [];
  for await (const change of store.watch(namespace, signal)) {
    changes.push(change);
    if (changes.length === count) break;
  }
  return changes;
}

async function drain(changes: AsyncIterable<StoreChange>): Promise<StoreChange[]> {
  const all: StoreChange[] = [];
  for await (const change of changes) all.push(change);
  return all;
}

function inShort(change: StoreChange): unknown[] {
  return change.type === 'put'
    ? [change.type, change.document.key, change.document.value]
    : [change.type, change.key];
}

/** Counts who listens to a signal. */
class ListenedSignal {
  listeners = 0;
  readonly #signal = new AbortController().signal;

  asSignal(): AbortSignal {
    const signal = this.#signal;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = (...parameters: Parameters<typeof add>) => {
      this.listeners += 1;
      add(...parameters);
    };
    signal.removeEventListener = (...parameters: Parameters<typeof remove>) => {
      this.listeners -= 1;
      remove(...parameters);
    };
    return signal;
  }
}
