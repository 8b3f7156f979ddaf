import { describe } from 'vitest';
import type { StateStore } from '../state/state-store.js';
import type { Clock } from '../time/clock.js';
import { describeSharedStore, type SharedStore } from './shared-store-contract.js';
import { describeClosing } from './state-store/closing.js';
import { describeConditions } from './state-store/conditions.js';
import { describeDocuments } from './state-store/documents.js';
import { describeModel } from './state-store/model.js';
import { describeStreams } from './state-store/streams.js';
import { describeWatching } from './state-store/watching.js';

/** How the contract suite gets the stores of a driver. */
export interface StateStoreDriver {
  /** Makes a store that holds nothing yet, each time another one. */
  open(options: { readonly clock: Clock }): StateStore | Promise<StateStore>;
  /** For a driver whose stores are shared by processes: the suite then starts real ones. */
  readonly shared?: SharedStore;
}

/** The contract of a `StateStore`. The tests of every driver call it on their first line. */
export function describeStateStore(name: string, driver: StateStoreDriver): void {
  describe(`${name} is a state store`, () => {
    describeDocuments(driver);
    describeConditions(driver);
    describeStreams(driver);
    describeWatching(driver);
    describeClosing(driver);
    describeModel(driver);
    if (driver.shared) describeSharedStore(driver.shared);
  });
}
