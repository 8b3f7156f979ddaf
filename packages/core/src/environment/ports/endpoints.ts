import type { ServiceSpec } from '../services/service-spec.js';
import { hostAndPort } from './address.js';

/** Where ports can be reached from this machine. */
export function endpointsOf(ports: ServiceSpec['ports']): string[] {
  return ports.flatMap(({ host, ip, protocol }) =>
    host === null ? [] : [`${protocol === 'udp' ? 'udp' : 'http'}://${hostAndPort(ip, host)}`],
  );
}
