import { type PortMapping, portFor } from '../../config/port-mapping.js';
import { variableName } from '../../config/variable-name.js';
import { isContainer } from '../is-container.js';
import type { ServiceSpec } from '../services/service-spec.js';
import { bareAddress, hostAndPort } from './address.js';

/** A service as far as its ports go. */
type Publishing = Pick<ServiceSpec, 'name' | 'ports'> & Partial<Pick<ServiceSpec, 'image' | 'build'>>;

/** Where somebody is who wants to reach a service. */
export type Viewpoint = 'here' | 'in-container';

/** The host ports that services have, by service, in the order of the configuration, as far as they are known. */
export class KnownPorts {
  readonly #ports = new Map<string, readonly PortMapping[]>();
  readonly #containers = new Set<string>();

  constructor(services: readonly Publishing[]) {
    for (const service of services) {
      this.#ports.set(service.name, service.ports);
      if (isContainer(service)) this.#containers.add(service.name);
    }
  }

  /** Notes what a runtime says of a service's ports, which may be in any order. */
  learn(service: string, ports: readonly PortMapping[]): void {
    const asked = this.#ports.get(service);
    this.#ports.set(service, asked ? asIn(asked, ports) : ports);
  }

  /** Whether it is a service that there are notes of. */
  has(service: string): boolean {
    return this.#ports.has(service);
  }

  /** Whether it runs in a container. */
  isContainer(service: string): boolean {
    return this.#containers.has(service);
  }

  /** The ports of a service. */
  of(service: string): readonly PortMapping[] {
    return this.#ports.get(service) ?? [];
  }

  /** A service's host port: that of one of its own ports, or its first. */
  hostPort(service: string, container?: number, protocol?: PortMapping['protocol']): number | undefined {
    return portFor(this.of(service), container, protocol)?.host ?? undefined;
  }

  /**
   * The variables that tell where services are, all or some: `ARGUS_PORT_API`, `ARGUS_URL_API`. Containers reach each
   * other by name and at the port inside, and what runs on this machine by name too, at the port that it has here.
   */
  variables(
    services: Iterable<string> = this.#ports.keys(),
    from: Viewpoint = 'here',
  ): Record<string, string> {
    const entries = [...services].flatMap((service) => {
      const port = portFor(this.of(service));
      const isInside = from === 'in-container' && this.isContainer(service);
      const number = isInside ? port?.container : port?.host;
      if (!port || number === undefined || number === null) return [];
      const name = variableName(service);
      const place = from === 'here' ? hostAndPort(port.ip, number) : `${service}:${number}`;
      return [
        [`ARGUS_PORT_${name}`, String(number)],
        ...(port.protocol === 'tcp' ? [[`ARGUS_URL_${name}`, `http://${place}`]] : []),
      ];
    });
    return Object.fromEntries(entries);
  }
}

/** Ports as they were asked for, with what the runtime chose where any would do. */
export function asIn(asked: readonly PortMapping[], actual: readonly PortMapping[]): PortMapping[] {
  const left = [...actual];
  const take = (fits: (one: PortMapping) => boolean) => {
    const index = left.findIndex(fits);
    return index < 0 ? undefined : left.splice(index, 1)[0];
  };
  const isSame = (one: PortMapping, other: PortMapping) =>
    one.container === other.container && one.protocol === other.protocol;
  // Those with a number of their own come first, so that none of them is taken for a chosen one.
  for (const port of asked)
    if (port.host !== null) take((one) => isSame(one, port) && one.host === port.host);
  return asked.map((port) => {
    if (port.host !== null) return port;
    const isThere = ({ ip }: PortMapping) => bareAddress(ip ?? '') === bareAddress(port.ip ?? '');
    const found = take((one) => isSame(one, port) && isThere(one)) ?? take((one) => isSame(one, port));
    return { ...port, host: found?.host ?? null };
  });
}
