import { isContainer } from '../is-container.js';
import { portsSpeltOut } from '../ports/ports-spelt-out.js';
import type { ServiceSpec } from './service-spec.js';

/** What a service is started from besides its own specification; left out where there is nothing of the kind. */
export interface Surroundings {
  /** Names that lead out of a container, which it is told when it is made and never again. */
  readonly outside?: readonly string[];
  /** Addresses of this machine at which the containers of the run ask for what runs outside of them. */
  readonly gateways?: readonly string[];
  /** Ports that a mock has lost and that containers spell out all the same, so that it needs them there. */
  readonly speltOut?: readonly number[];
}

/** What is around a service among these, in a run whose containers get to this machine by these addresses. */
export function surroundingsOf(
  service: ServiceSpec,
  services: readonly ServiceSpec[],
  gateways: readonly string[] = [],
): Surroundings {
  const reached = gateways.length === 0 ? {} : { gateways };
  if (!isContainer(service)) {
    if (service.routes === undefined) return {};
    const speltOut = portsSpeltOut(service, services);
    return speltOut.length === 0 ? reached : { ...reached, speltOut };
  }
  const outside = services.filter((other) => !isContainer(other)).map(({ name }) => name);
  return outside.length === 0 ? {} : { outside: outside.sort(), ...reached };
}
