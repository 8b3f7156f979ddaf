import type { Clock, RunIdentity, StateStore } from '@argusai/core';
import { LeaseBook } from '../lease/lease-book.js';

/** Gives back every port that was leased to a run. */
export async function releasePorts(
  run: Pick<RunIdentity, 'id'>,
  { store, clock }: { readonly store: StateStore; readonly clock: Clock },
): Promise<void> {
  const book = await LeaseBook.open(store, () => clock.now());
  await book.release(run.id);
}
