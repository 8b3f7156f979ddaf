import {
  type ArgusConfig,
  mappingOf,
  type NamedPort,
  type PortMapping,
  plainAddress,
  type ServiceSpec,
} from '@argusai/core';
import type { PortRange } from './port-range.js';
import type { Place } from './system/probe.js';

/** A port that a service would like to have on this machine. */
export interface Wish extends Place {
  readonly service: string;
  /** The port inside the container, or the one that a process listens on by default. */
  readonly container: number;
  /** Whether it did not ask for this port and any other is as good. */
  readonly any: boolean;
  /** Where any port of a range is what was asked for; `port` is the first of them. */
  readonly within?: PortRange;
  /** Whether it listens on another port of its own, so that nobody who knows that one looks for it here. */
  readonly inContainer?: true;
}

/** The ports of a configuration: those of its services, then those of its mocks. */
export function configuredPorts({
  services,
  mocks,
}: Pick<ArgusConfig, 'services' | 'mocks'>): Map<string, readonly PortMapping[]> {
  const ofServices = Object.entries(services).map(([name, { ports }]) => [name, ports] as const);
  const ofMocks = Object.entries(mocks).map(
    ([name, { port }]) => [name, port === undefined ? [] : [mappingOf(port)]] as const,
  );
  return new Map([...ofServices, ...ofMocks]);
}

/** The host ports that a configuration asks for. */
export function configuredWishes(config: Pick<ArgusConfig, 'services' | 'mocks'>): Wish[] {
  return [...configuredPorts(config)].flatMap(([service, ports]) =>
    ports.flatMap((mapping) => (mapping.host === null ? [] : [wishOf(service, mapping, mapping.host)])),
  );
}

/**
 * What a service needs, in the order of its ports. An engine chooses by itself where any port will do, unless a text names
 * the port, which must then be known before; a process cannot choose, so the port that it listens on by default is wished for.
 */
export function wishesOf(
  service: ServiceSpec,
  named: readonly NamedPort[] = [],
): readonly (Wish | undefined)[] {
  const onEngine = service.image !== undefined || service.build !== undefined;
  const isNamed = ({ container, protocol }: PortMapping) =>
    named.some(
      (one) => one.service === service.name && one.container === container && one.protocol === protocol,
    );
  return service.ports.map((mapping) => {
    if (mapping.host !== null) return wishOf(service.name, mapping, mapping.host);
    const wish = { ...wishOf(service.name, mapping, mapping.container), any: true };
    if (!onEngine) return wish;
    return isNamed(mapping) ? { ...wish, inContainer: true } : undefined;
  });
}

/** The ports that are as good as the one that is asked for, in the order in which they are tried. */
export function portsAskedFor({ port, within }: Pick<Wish, 'port' | 'within'>): number[] {
  if (within === undefined) return [port];
  return Array.from({ length: within.last - within.first + 1 }, (_, index) => within.first + index);
}

function wishOf(service: string, mapping: PortMapping, port: number): Wish {
  const { container, ip, protocol, hostRange: [first, last] = [] } = mapping;
  return {
    service,
    protocol,
    address: plainAddress(ip),
    port,
    container,
    any: false,
    ...(first === undefined || last === undefined ? {} : { port: first, within: { first, last } }),
  };
}
