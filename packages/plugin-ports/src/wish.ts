import type { ArgusConfig, PortMapping, ServiceSpec } from '@argusai/core';
import { plainAddress } from './address.js';
import type { Place } from './system/probe.js';

/** A port that a service would like to have on this machine. */
export interface Wish extends Place {
  readonly service: string;
  /** The port inside the container, or the one that a process listens on by default. */
  readonly container: number;
  /** Whether it did not ask for this port and any other is as good. */
  readonly any: boolean;
}

/** The host ports that a configuration asks for: those of its services, then those of its mocks. */
export function configuredWishes({ services, mocks }: Pick<ArgusConfig, 'services' | 'mocks'>): Wish[] {
  const ofServices = Object.entries(services).flatMap(([service, { ports }]) =>
    ports.flatMap((mapping) => (mapping.host === null ? [] : [wishOf(service, mapping, mapping.host)])),
  );
  const ofMocks = Object.entries(mocks).flatMap(([service, { port }]) =>
    port === undefined
      ? []
      : [wishOf(service, { host: port, container: port, ip: null, protocol: 'tcp' }, port)],
  );
  return [...ofServices, ...ofMocks];
}

/**
 * What a service needs, in the order of its ports. An engine chooses by itself where any port will do; a process
 * cannot, so there the port that it listens on by default is wished for.
 */
export function wishesOf(service: ServiceSpec): readonly (Wish | undefined)[] {
  const onEngine = service.image !== undefined || service.build !== undefined;
  return service.ports.map((mapping) => {
    if (mapping.host !== null) return wishOf(service.name, mapping, mapping.host);
    return onEngine ? undefined : { ...wishOf(service.name, mapping, mapping.container), any: true };
  });
}

function wishOf(service: string, { container, ip, protocol }: PortMapping, port: number): Wish {
  return { service, protocol, address: plainAddress(ip), port, container, any: false };
}
