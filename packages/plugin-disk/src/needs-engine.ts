import type { PluginContext } from '@argusai/core';

/**
 * Whether a project may fill the disk of an engine: one of its services or mocks is a container. Without any service it has not
 * said that it can do without, so it counts as one that may.
 */
export function needsEngine({
  services,
  mocks,
}: Pick<PluginContext['config'], 'services' | 'mocks'>): boolean {
  const all = [...Object.values(services), ...Object.values(mocks)];
  return all.length === 0 || all.some(isContainer);
}

function isContainer(one: { readonly image?: unknown; readonly build?: unknown }): boolean {
  return one.image !== undefined || one.build !== undefined;
}
