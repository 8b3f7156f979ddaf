import { addressesMeet, everywhere } from './plain-address.js';
import type { BoundSocket } from './socket-table.js';

/** The sockets of TCP that may answer whoever connects to a port at a plain address of one host. */
export function answering<Socket extends BoundSocket>(
  sockets: readonly Socket[],
  port: number,
  address: string,
): Socket[] {
  const there = sockets.filter(
    (one) => one.protocol === 'tcp' && one.port === port && addressesMeet(one.address, address),
  );
  const exact = there.filter((one) => one.address === address);
  if (exact.length > 0) return exact;
  const family = address.includes(':') ? 6 : 4;
  const ofFamily = there.filter((one) => one.address === everywhere && one.family !== (family === 6 ? 4 : 6));
  // Connections over IPv4 come to an IPv6 socket only where nobody else takes them.
  return ofFamily.length > 0 || family === 6 ? ofFamily : there;
}
