import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { type Holder, listensForOthers, type RunIdentity } from '@argusai/core';
import type { DockerClient } from '../client/docker-client.js';
import type { ContainerJson } from './container-json.js';
import { containerName } from './names.js';
import type { WayOut } from './way-out.js';

/**
 * Of each of those who listen, whether it does so for the container of a service. What publishes a port tells on its command line where it
 * passes connections on to. Nothing is known of an engine that is not on this machine, and of ports that it holds itself.
 */
export async function ownListeners(
  client: Pick<DockerClient, 'inspect'>,
  wayOut: Pick<WayOut, 'gateways'>,
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
  return Promise.all(listeners.map(({ pid }) => (pid === undefined ? undefined : listensFor(places, pid))));
}

/** Whether a process listens for one of these places. It is asked itself, because people are told only the first of its words. */
async function listensFor(places: readonly string[], pid: number): Promise<boolean | undefined> {
  // One that is gone by now says nothing.
  const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  const [program = '', ...args] = line.split('\0');
  if (program === '') return undefined;
  if (basename(program) !== 'docker-proxy') return listensForOthers(program) ? undefined : false;
  const given = (name: string) => (args.includes(name) ? args[args.indexOf(name) + 1] : undefined);
  const [ip, port] = [given('-container-ip'), given('-container-port')];
  return ip === undefined || port === undefined ? undefined : places.includes(`${ip} ${port}`);
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
