import {
  type ArgusError,
  portSpeltOut,
  portsSpeltOut,
  type RunContext,
  type ServiceSpec,
  spellingOf,
} from '@argusai/core';
import { addressesOf } from '../command/mock-launch.js';

/**
 * Refuses a mock whose port was moved while the text of a container spells out the one that it asked for, where containers reach
 * this machine only at its local address: there they would get to whoever has that port.
 */
export function refuseMisled(service: ServiceSpec, { services, gateways }: RunContext): void {
  // Where it is not known, somebody starts it again who has seen it serve them.
  if (gateways === undefined || gateways.length > 0 || addressesOf(service).length > 0) return;
  const [port] = portsSpeltOut(service, services);
  if (port !== undefined) throw misled(service.name, port, services);
}

/** Says what to write instead of a port that a mock cannot have. */
export function misled(service: string, port: number, services: readonly ServiceSpec[], at = ''): ArgusError {
  const key = spellingOf(service, port, services);
  return portSpeltOut({ service, port, protocol: 'tcp', key }, { by: 'the text of a container', at });
}
