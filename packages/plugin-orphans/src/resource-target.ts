import type { Resource } from '@argusai/core';

/**
 * How results, plans and exclusions name a resource: `container:argus-shop-r1-api`. A name that carries the run is like
 * no other; one that does not could be that of two, so the id stands for it.
 */
export function targetOf({ type, name, id, runId }: Resource): string {
  return `${type}:${name.includes(runId) ? name : id}`;
}
