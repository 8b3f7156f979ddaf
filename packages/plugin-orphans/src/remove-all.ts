import { cleanupFailed, type Removal, type Resource, structuredError } from '@argusai/core';
import { placeOf } from './find-orphans.js';
import type { OrphanParts } from './orphan-parts.js';
import { removeWith } from './remove-with.js';

/** Removes resources with one call for each runtime, that with the containers first: processes are the last to go. */
export async function removeAll(
  parts: OrphanParts,
  resources: readonly Resource[],
  signal: AbortSignal,
): Promise<Removal[]> {
  const byRuntime = new Map<string, Resource[]>();
  for (const resource of [...resources].sort((one, other) => placeOf(one) - placeOf(other))) {
    const group = byRuntime.get(resource.runtime);
    if (group) group.push(resource);
    else byRuntime.set(resource.runtime, [resource]);
  }
  const removals: Removal[] = [];
  for (const [name, group] of byRuntime) removals.push(...(await removeWith(parts, name, group, signal)));
  return removals.map((removal) => (removal.removed ? removal : blamed(parts, removal)));
}

/** Whatever a runtime says, users learn it under one code, with the resource and the reason. */
function blamed({ clock }: OrphanParts, { resource, error }: Removal & { removed: false }): Removal {
  if (error.code === cleanupFailed.code) return { resource, removed: false, error };
  const { type, name, id } = resource;
  const message = `The ${type} ${name} could not be removed: ${error.message}`;
  const details = { type, name, id, reason: error.message };
  const wrapped = structuredError(cleanupFailed, { message, details }, clock.now());
  return { resource, removed: false, error: wrapped };
}
