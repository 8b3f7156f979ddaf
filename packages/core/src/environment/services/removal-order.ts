import type { Resource } from '../ownership/resource.js';
import type { ServiceSpec } from './service-spec.js';
import { stopOrder } from './start-order.js';

/**
 * The order in which what a run has is removed: dependents before what they depend on, then services that are not in the
 * configuration any more, then what the run itself has. What is in one list goes together.
 */
export function removalOrder(
  resources: readonly Resource[],
  services: readonly ServiceSpec[],
): readonly (readonly Resource[])[] {
  const known = services.map(({ name }) => name);
  const isUnknown = (service: string | undefined) => service !== undefined && !known.includes(service);
  const levels = stopOrder(services).map((names) =>
    resources.filter(({ service }) => service !== undefined && names.includes(service)),
  );
  return [
    ...levels,
    resources.filter(({ service }) => isUnknown(service)),
    resources.filter(({ service }) => service === undefined),
  ];
}
