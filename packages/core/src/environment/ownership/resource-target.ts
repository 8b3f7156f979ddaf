import type { Resource } from './resource.js';

/**
 * How results, plans, exclusions and `clean-foreign` name a resource: `container:argus-shop-r1-api`. A name that carries the run
 * is like no other; one that does not could be that of two, so the id stands for it.
 */
export function resourceTarget({ type, name, id, runId }: Resource): string {
  return `${type}:${name.includes(runId) ? name : id}`;
}
