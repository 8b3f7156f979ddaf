import { describe, expect, it } from 'vitest';
import { storeUnavailable } from '../../model/core-error-codes.js';
import type { StateStoreDriver } from '../state-store-contract.js';
import { opened } from './opened.js';

/** What becomes of a store that is closed. */
export function describeClosing(driver: StateStoreDriver): void {
  describe('closing', () => {
    it('may be closed twice, also when nothing was ever asked of it', async () => {
      const { store } = await opened(driver);
      await store.close();
      await store.close();
      const { store: used } = await opened(driver);
      await used.put('namespace', 'key', 1);
      await Promise.all([used.close(), used.close()]);
    });

    it('answers nothing any more', async () => {
      const { store } = await opened(driver);
      await store.put('namespace', 'key', 1);
      await store.close();
      const unavailable = { name: 'ArgusError', code: storeUnavailable.code };
      await expect(store.id()).rejects.toMatchObject(unavailable);
      await expect(store.get('namespace', 'key')).rejects.toMatchObject(unavailable);
      await expect(store.list('namespace')).rejects.toMatchObject(unavailable);
      await expect(store.put('namespace', 'key', 2)).rejects.toMatchObject(unavailable);
      await expect(store.delete('namespace', 'key')).rejects.toMatchObject(unavailable);
      await expect(store.append('stream', 1)).rejects.toMatchObject(unavailable);
      await expect(store.read('stream')).rejects.toMatchObject(unavailable);
      expect(() => store.watch('namespace', AbortSignal.abort())).toThrow('closed');
    });
  });
}
