import { thrownAs } from '../model/argus-error.js';
import type { StructuredError } from '../model/error-code.js';
import { isBlinding } from '../model/health-report.js';
import type { StateStore } from './state-store.js';

/** Why a store that has nothing to tell may not know; nothing where it can be used. */
export function blindnessOf(store: Pick<StateStore, 'notices'>): StructuredError | undefined {
  return store.notices?.().find(isBlinding);
}

/** Fails where the store cannot be used, before anybody takes "nothing is recorded" for "nothing is there". */
export function requireSight(store: Pick<StateStore, 'notices'>): void {
  const blindness = blindnessOf(store);
  if (blindness) throw thrownAs(blindness);
}
