import type { ServiceSpec } from '../services/service-spec.js';
import { hostAndPort } from './address.js';

/** Ports on which something else than HTTP is spoken, by what the world expects there: databases, caches, brokers, mail, shells. */
const notHttp = new Set([
  21, 22, 25, 53, 389, 1025, 1433, 1521, 1883, 2181, 3306, 4222, 5432, 5672, 6379, 7687, 9042, 9092, 11211,
  26257, 27017,
]);

/** How a port is spoken to, by what its service asks for inside. */
export function schemeOf({ container, protocol }: ServiceSpec['ports'][number]): 'http' | 'tcp' | 'udp' {
  if (protocol === 'udp') return 'udp';
  return notHttp.has(container) ? 'tcp' : 'http';
}

/** Where ports can be reached from this machine. */
export function endpointsOf(ports: ServiceSpec['ports']): string[] {
  return ports.flatMap((port) =>
    port.host === null ? [] : [`${schemeOf(port)}://${hostAndPort(port.ip, port.host)}`],
  );
}
