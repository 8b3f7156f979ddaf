import type { Removal, Resource } from '../ownership/resource.js';
import type { NotTakenDown } from './remnants.js';

/** What was taken down, and what could not be. */
export interface TakenDown {
  readonly removed: Resource[];
  readonly failed: NotTakenDown[];
}

/** What removals have come to. */
export function takenDown(removals: readonly Removal[]): TakenDown {
  return {
    removed: removals.flatMap((one) => (one.removed ? [one.resource] : [])),
    failed: removals.flatMap((one) => (one.removed ? [] : [{ resource: one.resource, error: one.error }])),
  };
}

/** What several have taken down, as one. */
export function together(...ends: readonly TakenDown[]): TakenDown {
  return { removed: ends.flatMap(({ removed }) => removed), failed: ends.flatMap(({ failed }) => failed) };
}
