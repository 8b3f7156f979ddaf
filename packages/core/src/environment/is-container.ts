import type { ServiceSpec } from './services/service-spec.js';

/** Whether a service is a container; the others are processes of this machine. */
export function isContainer({ image, build }: Partial<Pick<ServiceSpec, 'image' | 'build'>>): boolean {
  return image !== undefined || build !== undefined;
}
