import type { ArgusConfig } from '@argusai/core';

/**
 * Why a project can do without Docker: it has services or mocks, and none of them is a container. A project without
 * any has not said so, so nothing is given.
 */
export function whyNoDocker({
  services,
  mocks,
}: Pick<ArgusConfig, 'services' | 'mocks'>): string | undefined {
  const all = [...Object.values(services), ...Object.values(mocks)];
  const isContainer = (one: object) =>
    ('image' in one && one.image !== undefined) || ('build' in one && one.build !== undefined);
  return all.length > 0 && !all.some(isContainer)
    ? 'No service or mock of this project needs Docker'
    : undefined;
}
