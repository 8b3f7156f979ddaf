import { describe } from 'vitest';
import type { StateStoreDriver } from './state-store-contract.js';

/** The contract of a `StateStore`. The tests of every driver call it on their first line. */
export function describeStateStore(name: string, driver: StateStoreDriver): void {
  // Loaded late: it needs fast-check, which the author of a plugin need not have.
  describe('the contract', async () => {
    const contract = await import('./state-store-contract.js');
    contract.describeStateStore(name, driver);
  });
}
