import type { Removal, Resource } from '../ownership/resource.js';
import type { NotTakenDown } from './remnants.js';

/** What was taken down, and what could not be. */
export interface TakenDown {
  readonly removed: Resource[];
  readonly failed: NotTakenDown[];
  /** Services that did not end on SIGTERM. */
  readonly killed?: readonly string[] | undefined;
}

/** What removals have come to. */
export function takenDown(removals: readonly Removal[]): TakenDown {
  const killed = removals.flatMap((one) => (one.removed && one.killed ? (one.resource.service ?? []) : []));
  return {
    ...(killed.length === 0 ? {} : { killed }),
    removed: removals.flatMap((one) => (one.removed ? [one.resource] : [])),
    failed: removals.flatMap((one) => (one.removed ? [] : [{ resource: one.resource, error: one.error }])),
  };
}

/** What several have taken down, as one. */
export function together(...ends: readonly TakenDown[]): TakenDown {
  const killed = ends.flatMap((one) => one.killed ?? []);
  return {
    ...(killed.length === 0 ? {} : { killed }),
    removed: ends.flatMap(({ removed }) => removed),
    failed: ends.flatMap(({ failed }) => failed),
  };
}
