import type { ArgusConfig } from '../../config/schema.js';

/** Whether a service must not end. Of one that is no longer in the configuration that is not known any more. */
export function isMeantToStay(
  { services, mocks }: Pick<ArgusConfig, 'services' | 'mocks'>,
  service: string,
): boolean {
  const configured = services[service];
  return configured ? !configured.oneShot : mocks[service] !== undefined;
}
