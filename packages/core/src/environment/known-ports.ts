import type { PortMapping } from '../config/port-mapping.js';
import type { ServiceSpec } from './service-spec.js';

/** The host ports that services have, by service, as far as they are known. */
export class KnownPorts {
  readonly #ports = new Map<string, readonly PortMapping[]>();

  constructor(services: readonly Pick<ServiceSpec, 'name' | 'ports'>[]) {
    for (const { name, ports } of services) this.learn(name, ports);
  }

  /** Notes what a runtime says of a service's ports. */
  learn(service: string, ports: readonly PortMapping[]): void {
    this.#ports.set(service, ports);
  }

  /** The ports of a service. */
  of(service: string): readonly PortMapping[] {
    return this.#ports.get(service) ?? [];
  }

  /** A service's host port: that of one of its own ports, or its first. */
  hostPort(service: string, container?: number): number | undefined {
    const ports = this.of(service);
    const port = container === undefined ? ports[0] : ports.find((one) => one.container === container);
    return port?.host ?? undefined;
  }

  /** The variables that tell where services are, all or some: `ARGUS_PORT_API`, `ARGUS_URL_API`. */
  variables(services: Iterable<string> = this.#ports.keys()): Record<string, string> {
    const entries = [...services].flatMap((service) => {
      const port = this.hostPort(service);
      if (port === undefined) return [];
      const name = service.toUpperCase().replace(/[^A-Z0-9]+/g, '_');
      return [
        [`ARGUS_PORT_${name}`, String(port)],
        [`ARGUS_URL_${name}`, `http://localhost:${port}`],
      ];
    });
    return Object.fromEntries(entries);
  }
}
