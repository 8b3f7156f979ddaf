import type { ServiceSpec } from '@argusai/core';

/** Whether a service is a container. */
export function runsInContainer({ image, build }: ServiceSpec): boolean {
  return image !== undefined || build !== undefined;
}
