import { formatPath } from '../../config/path.js';
import type { ServiceSpec } from './service-spec.js';

/** Where in the configuration something is said of a service: `services.api.command`. */
export function configKey(
  { name, kind }: Pick<ServiceSpec, 'name' | 'kind'>,
  ...path: (string | number)[]
): string {
  return formatPath([kind === 'mock' ? 'mocks' : 'services', name, ...path]);
}
