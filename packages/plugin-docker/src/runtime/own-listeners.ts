import { basename } from 'node:path';
import type { Holder, RunIdentity } from '@argusai/core';
import type { DockerClient } from '../client/docker-client.js';
import type { ContainerJson } from './container-json.js';
import { containerName } from './names.js';
import type { WayOut } from './way-out.js';

/** Programs by which engines listen for containers without saying for which. */
const engines = /^(dockerd|conmon|root(lesskit|lessport)|systemd)$/;

/**
 * Of each of those who listen, whether it does so for the container of a service. What publishes a port tells on its command line where it
 * passes connections on to. Nothing is known of an engine that is not on this machine, and of ports that it holds itself.
 */
export async function ownListeners(
  client: DockerClient,
  wayOut: WayOut,
  run: RunIdentity,
  service: string,
  listeners: readonly Holder[],
  signal: AbortSignal,
): Promise<(boolean | undefined)[]> {
  const isHere = (await wayOut.gateways(run, signal)).length > 0;
  if (!isHere) return listeners.map(() => undefined);
  const [container] = await client.inspect<ContainerJson>('container', [containerName(run, service)], {
    signal,
  });
  const places = container?.State.Running ? placesOf(container) : [];
  return listeners.map(({ command, pid }) => {
    if (pid === undefined || command === undefined) return undefined;
    const [program = '', ...args] = command.split(' ');
    if (engines.test(basename(program))) return undefined;
    if (basename(program) !== 'docker-proxy') return false;
    const given = (name: string) => args[args.indexOf(name) + 1];
    return places.includes(`${given('-container-ip')} ${given('-container-port')}`);
  });
}

/** Where connections to the published ports of a container are passed on to. */
function placesOf({ NetworkSettings: { Ports, Networks } }: ContainerJson): string[] {
  const addresses = Object.values(Networks ?? {}).flatMap(({ IPAddress, GlobalIPv6Address }) => [
    IPAddress,
    GlobalIPv6Address,
  ]);
  return Object.keys(Ports ?? {}).flatMap((inside) =>
    addresses.map((address) => `${address} ${inside.split('/')[0]}`),
  );
}
