import { type JsonObject, type RecoveryStep, type Resource, resourceTarget } from '@argusai/core';
import type { Orphan } from './find-orphans.js';
import { nameOf } from './orphan-resource.js';

/** The step that removes an orphan. */
export function stepFor({ resource, why }: Orphan): RecoveryStep {
  const { service } = resource;
  const target = resourceTarget(resource);
  return {
    target,
    ...(service === undefined ? {} : { service }),
    action: 'remove',
    reversible: false,
    resolves: [target],
    description: `remove ${nameOf(resource)}: ${why}`,
    data: { ...resource } as JsonObject,
  };
}

/** The resource that a step is about. The step was made here, so it has it. */
export function resourceOf({ data }: RecoveryStep): Resource {
  return data as unknown as Resource;
}
