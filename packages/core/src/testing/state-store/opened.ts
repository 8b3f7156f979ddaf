import { onTestFinished } from 'vitest';
import type { StateStore } from '../../state/state-store.js';
import { type Clock, systemClock } from '../../time/clock.js';
import type { StateStoreDriver } from '../state-store-contract.js';

/** A store for one test, with a wall time that the test sets. */
export interface OpenedStore {
  readonly store: StateStore;
  setTime(now: number): void;
}

/** Opens a store that is closed when the test is over. */
export async function opened(driver: StateStoreDriver): Promise<OpenedStore> {
  let now = Date.UTC(2026, 0, 1);
  // Only the wall time stands still: a driver that polls must go on polling.
  const clock: Clock = { ...systemClock, now: () => now };
  const store = await driver.open({ clock });
  onTestFinished(() => store.close());
  return {
    store,
    setTime(moment) {
      now = moment;
    },
  };
}
