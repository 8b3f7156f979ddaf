import { describe, expect, it } from 'vitest';
import type { StateStore, WriteResult } from '../../state/state-store.js';
import { updateDocument } from '../../state/update-document.js';
import type { StateStoreDriver } from '../state-store-contract.js';
import { opened } from './opened.js';
import { refused } from './refused.js';

/** Compare-and-set in all its forms, and the revisions it stands on. */
export function describeConditions(driver: StateStoreDriver): void {
  describe('conditional writes', () => {
    it('stores what must not exist yet, once', async () => {
      const { store } = await opened(driver);
      const first = await store.put('namespace', 'key', 1, { ifRevision: 'absent' });
      expect(first.stored).toBe(true);
      const second = await store.put('namespace', 'key', 2, { ifRevision: 'absent' });
      expect(second).toEqual({ stored: false, current: await store.get('namespace', 'key') });
      expect((await store.get('namespace', 'key'))?.value).toBe(1);
    });

    it('stores on top of the revision that was read, and on no other', async () => {
      const { store } = await opened(driver);
      const first = revisionOf(await store.put('namespace', 'key', 1));
      const second = revisionOf(await store.put('namespace', 'key', 2, { ifRevision: first }));
      const stale = await store.put('namespace', 'key', 3, { ifRevision: first });
      expect(stale).toEqual({ stored: false, current: await store.get('namespace', 'key') });
      expect(await store.get('namespace', 'key')).toMatchObject({ value: 2, revision: second });
      expect(await store.put('namespace', 'key', 4, { ifRevision: second + 1 })).toMatchObject({
        stored: false,
      });
    });

    it('does not store on top of a document that is gone', async () => {
      const { store } = await opened(driver);
      const revision = revisionOf(await store.put('namespace', 'key', 1));
      await store.delete('namespace', 'key');
      const result = await store.put('namespace', 'key', 2, { ifRevision: revision });
      expect(result).toEqual({ stored: false, current: undefined });
      expect(await store.get('namespace', 'key')).toBeUndefined();
    });

    it('deletes under the same conditions', async () => {
      const { store } = await opened(driver);
      const first = revisionOf(await store.put('namespace', 'key', 1));
      const second = revisionOf(await store.put('namespace', 'key', 2));
      const current = await store.get('namespace', 'key');
      expect(await store.delete('namespace', 'key', { ifRevision: first })).toEqual({
        stored: false,
        current,
      });
      expect(await store.delete('namespace', 'key', { ifRevision: 'absent' })).toEqual({
        stored: false,
        current,
      });
      expect(await store.delete('namespace', 'key', { ifRevision: second })).toMatchObject({ stored: true });
      expect(await store.get('namespace', 'key')).toBeUndefined();
      expect(await store.delete('namespace', 'key', { ifRevision: 'absent' })).toMatchObject({
        stored: true,
      });
      const gone = await store.delete('namespace', 'key', { ifRevision: second });
      expect(gone).toEqual({ stored: false, current: undefined });
    });

    it('never uses a revision twice, also not after a deletion or in another namespace', async () => {
      const { store } = await opened(driver);
      const revisions = [
        await store.put('namespace', 'key', 1),
        await store.delete('namespace', 'key'),
        await store.put('namespace', 'key', 1),
        await store.put('other', 'key', 1),
        await store.put('namespace', 'key', 1),
      ].map(revisionOf);
      expect(revisions).toEqual([...new Set(revisions)].sort((a, b) => a - b));
      expect(revisions.every(Number.isSafeInteger)).toBe(true);
    });

    it('writes nothing when it deletes nothing', async () => {
      const { store } = await opened(driver);
      const revision = revisionOf(await store.put('namespace', 'key', 1));
      expect(revisionOf(await store.delete('namespace', 'other'))).toBe(revision);
    });

    it.each([-1, 1.5, Number.NaN, '1'])('refuses %s as a revision', async (ifRevision) => {
      const { store } = await opened(driver);
      await refused(store.put('namespace', 'key', 1, { ifRevision: ifRevision as number }));
      await refused(store.delete('namespace', 'key', { ifRevision: ifRevision as number }));
    });

    it('loses no update among fifty at once', async () => {
      const { store } = await opened(driver);
      await Promise.all(Array.from({ length: 50 }, () => increment(store)));
      expect((await store.get('counters', 'one'))?.value).toBe(50);
    });
  });
}

function increment(store: StateStore) {
  return updateDocument(store, 'counters', 'one', (current) => Number(current ?? 0) + 1);
}

function revisionOf(result: WriteResult): number {
  if (!result.stored) throw new Error('The write should have been stored');
  return result.revision;
}
