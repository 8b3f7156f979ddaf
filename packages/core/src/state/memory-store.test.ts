import { describe, expect, it } from 'vitest';
import { describeStateStore } from '../testing/state-store-contract.js';
import { createMemoryStore } from './memory-store.js';

describeStateStore('the memory store', { open: createMemoryStore });

describe('the memory store', () => {
  it('takes the identity that it is given', async () => {
    expect(await createMemoryStore({ id: 'mine' }).id()).toBe('mine');
  });

  it('lives in the time of the machine when no other is given', async () => {
    const store = createMemoryStore();
    const before = Date.now();
    await store.put('namespace', 'key', 1);
    const document = await store.get('namespace', 'key');
    expect(document?.updatedAt).toBeGreaterThanOrEqual(before);
    expect(document?.updatedAt).toBeLessThanOrEqual(Date.now());
  });
});
