import type { PortMapping } from '../../config/port-mapping.js';
import type { ServiceSpec } from './service-spec.js';

type Checked = Pick<ServiceSpec, 'ports' | 'healthcheck'>;

/**
 * Where on this machine the health check of a service asks besides its ports: at `healthcheck.port`, `tcp` or a whole URL. It is the service
 * itself that is to answer there, unless another one has that port or is asked there too.
 */
export function askedAt(service: Checked, all: readonly Checked[]): PortMapping | undefined {
  const place = placeOf(service);
  if (!place) return undefined;
  const port = place.container;
  const isKnown =
    service.ports.some(({ container }) => container === port) ||
    all.some(({ ports }) => ports.some((one) => one.protocol === 'tcp' && asksFor(one, port))) ||
    all.some((other) => other !== service && placeOf(other)?.container === port);
  return isKnown ? undefined : place;
}

function placeOf({ healthcheck }: Checked): PortMapping | undefined {
  const { http, tcp, port = tcp } = healthcheck ?? {};
  const at = (number: number, ip: string | null) =>
    ({ host: number, container: number, ip, protocol: 'tcp' }) as const;
  if (!http?.startsWith('http')) return port === undefined ? undefined : at(port, null);
  // One with something to fill in means a port of another.
  if (http.includes('{{') || !URL.canParse(http)) return undefined;
  const { hostname, port: written, protocol } = new URL(http);
  const number = Number(written || (protocol === 'https:' ? 443 : 80));
  if (hostname === 'localhost') return at(number, null);
  return /^(127\.|0\.0\.0\.0$|\[::1?\]$)/.test(hostname) ? at(number, hostname) : undefined;
}

function asksFor(
  { host, hostRange: [first, last] = [host ?? 0, host ?? 0] }: PortMapping,
  port: number,
): boolean {
  return first <= port && port <= last;
}
