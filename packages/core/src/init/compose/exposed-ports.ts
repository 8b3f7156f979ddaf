import { type PortMapping, parsePorts } from '../../config/port-mapping.js';
import { listOf } from './list-of.js';

/** What a service of Compose offers to the others only, as ports without one on this machine; what is published is there already. */
export function exposedPorts(expose: unknown, published: readonly unknown[]): string[] {
  const known = published.flatMap(read).map(keyOf);
  return [...new Set(listOf(expose).map(String))].filter((text) => {
    const ports = read(text);
    return ports.length === 0 || !ports.every((port) => known.includes(keyOf(port)));
  });
}

const keyOf = ({ container, protocol }: PortMapping) => `${container}/${protocol}`;

function read(port: unknown): PortMapping[] {
  try {
    return typeof port === 'string' || typeof port === 'number' ? parsePorts(port) : [];
  } catch {
    // What is no port is left out and told when the configuration is put together.
    return [];
  }
}
