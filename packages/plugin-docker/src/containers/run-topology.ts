import { labelNames, type RunIdentity } from '@argusai/core';
import type { DockerClient } from '../client/docker-client.js';
import type { ContainerJson } from '../runtime/container-json.js';
import { containerName, networkName } from '../runtime/names.js';

/** A network that a container is on, and what it is called there. */
export interface ContainerNetwork {
  readonly name: string;
  readonly aliases: readonly string[];
  /** Empty while the container does not run. */
  readonly address: string;
}

/** Where a container of a run stands. */
export interface ContainerPlace {
  readonly service: string;
  readonly id: string;
  readonly name: string;
  /** The image by its own id. */
  readonly image: string;
  readonly running: boolean;
  /** Its first process as the engine's machine numbers it; 0 when it does not run. */
  readonly pid: number;
  readonly networks: readonly ContainerNetwork[];
  /** TCP ports that it publishes or that its image says it listens on. */
  readonly exposed: readonly number[];
  /** Names that were given to it with an address when it was made. */
  readonly hosts: readonly string[];
}

/** The containers of a run, and the network that all of them should be on. */
export interface RunTopology {
  readonly network: string;
  readonly containers: readonly ContainerPlace[];
}

interface PlaceJson extends ContainerJson {
  readonly Image: string;
  readonly State: ContainerJson['State'] & { readonly Pid: number };
  readonly Config: ContainerJson['Config'] & { readonly ExposedPorts?: Readonly<Record<string, unknown>> };
  readonly HostConfig: ContainerJson['HostConfig'] & { readonly ExtraHosts: readonly string[] | null };
  readonly NetworkSettings: ContainerJson['NetworkSettings'] & {
    readonly Networks: Readonly<
      Record<string, { readonly Aliases: readonly string[] | null; readonly IPAddress: string }>
    > | null;
  };
}

/** Says which container of a run is on which networks, in one look. Services without a container are left out. */
export async function runTopology(
  client: DockerClient,
  run: RunIdentity,
  services: readonly string[],
  signal: AbortSignal,
): Promise<RunTopology> {
  const names = services.map((service) => containerName(run, service));
  const found = await client.inspect<PlaceJson>('container', names, { signal });
  const containers = found.flatMap((container) => {
    const labels = container.Config.Labels ?? {};
    const service = labels[labelNames.service];
    return labels[labelNames.runId] === run.id && service !== undefined ? [placeOf(service, container)] : [];
  });
  return { network: networkName(run), containers };
}

function placeOf(service: string, container: PlaceJson): ContainerPlace {
  const { Id, Name, Image, State, Config, HostConfig, NetworkSettings } = container;
  const ports = Object.keys({ ...Config.ExposedPorts, ...NetworkSettings.Ports });
  return {
    service,
    id: Id,
    name: Name.replace(/^\//, ''),
    image: Image,
    running: State.Running,
    pid: State.Pid,
    networks: Object.entries(NetworkSettings.Networks ?? {}).map(([name, { Aliases, IPAddress }]) => ({
      name,
      aliases: Aliases ?? [],
      address: IPAddress,
    })),
    exposed: ports.filter((port) => port.endsWith('/tcp')).map((port) => Number.parseInt(port, 10)),
    hosts: (HostConfig.ExtraHosts ?? []).map((entry) => entry.slice(0, entry.search(/[:=]/))),
  };
}
