import { describe, expect, it } from 'vitest';
import { storeCorrupt, storeUnavailable } from '../model/core-error-codes.js';
import { structuredError } from '../model/error-code.js';
import { createMemoryStore } from './memory-store.js';
import type { StateStore } from './state-store.js';
import { settleDamage, storeNotices } from './store-notices.js';

const here = { name: 'shop', dir: '/shop' };
const damage = (movedTo: string) =>
  structuredError(storeCorrupt, { message: 'damaged', details: { store: 's', movedTo } }, 0);
const blind = structuredError(
  storeUnavailable,
  { message: 'read-only', details: { store: 's', reason: 'read-only' } },
  0,
);

function storeWith(...notices: ReturnType<typeof structuredError>[]): StateStore {
  return Object.assign(createMemoryStore(), { notices: () => notices });
}

describe('what a store says of itself', () => {
  it('is no longer that it was damaged, in the folder where nothing is left of that', async () => {
    const store = storeWith(damage('a'), blind);
    expect(await storeNotices({ store, project: here })).toHaveLength(2);
    await settleDamage({ store, project: here });
    expect(await storeNotices({ store, project: here })).toEqual([blind]);
    for (const project of [
      { ...here, dir: '/other' },
      { ...here, name: 'other' },
    ])
      expect(await storeNotices({ store, project })).toHaveLength(2);
    // Another damage is another matter.
    Object.assign(store, { notices: () => [damage('b')] });
    expect(await storeNotices({ store, project: here })).toHaveLength(1);
  });

  it('is told once more by whoever has settled it, and by a store that cannot be read or written', async () => {
    const store = storeWith(damage('a'));
    const before = Date.now();
    await settleDamage({ store, project: here });
    expect(await storeNotices({ store, project: here }, before)).toHaveLength(1);
    const fail = () => Promise.reject(new Error('it is down'));
    Object.assign(store, { list: fail, put: fail });
    await settleDamage({ store, project: here });
    expect(await storeNotices({ store, project: here })).toHaveLength(1);
  });
});
