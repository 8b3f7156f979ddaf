import {
  type JsonObject,
  labelNames,
  type PortMapping,
  type RunIdentity,
  type ServiceState,
} from '@argusai/core';
import type { DockerClient } from '../client/docker-client.js';
import type { ContainerJson } from './container-json.js';
import { labelFilters, marksOf } from './label-arguments.js';

/** How services of a run are: one listing and one look at all of them. */
export async function inspectServices(
  client: DockerClient,
  run: RunIdentity,
  services: readonly string[],
  signal: AbortSignal,
): Promise<ServiceState[]> {
  if (services.length === 0) return [];
  const listing = ['ps', '--all', '--quiet', '--no-trunc', ...labelFilters(marksOf(run))];
  const ids = (await client.run(listing, { signal })).split('\n').filter((id) => id !== '');
  const found = ids.length === 0 ? [] : await client.inspect<ContainerJson>('container', ids, { signal });
  // The newest last, so that it is the one that stays.
  const oldestFirst = found.toSorted((one, other) => one.Created.localeCompare(other.Created));
  const containers = new Map(
    oldestFirst.map((container) => [container.Config.Labels?.[labelNames.service], container]),
  );
  return services.map((service) => {
    const container = containers.get(service);
    return container === undefined ? { service, status: 'missing' } : stateOf(service, container);
  });
}

function stateOf(service: string, container: ContainerJson): ServiceState {
  const { State, Config, RestartCount } = container;
  const startedAt = Date.parse(State.StartedAt);
  const spec = Config.Labels?.[labelNames.spec];
  const health = healthOf(State.Health?.Status);
  const ports = portsOf(container);
  return {
    service,
    status: State.Running ? 'running' : 'exited',
    id: container.Id,
    ...(spec === undefined ? {} : { spec }),
    ...(health === undefined || !State.Running ? {} : { health }),
    ...(State.Running ? {} : { exitCode: State.ExitCode }),
    oomKilled: State.OOMKilled,
    restarts: RestartCount,
    // A container that was never started has begun in the year 1.
    ...(startedAt > 0 ? { startedAt } : {}),
    ...(ports.length > 0 ? { ports } : {}),
    details: detailsOf(container),
  };
}

function healthOf(status: string | undefined): ServiceState['health'] {
  return status === 'starting' || status === 'healthy' || status === 'unhealthy' ? status : undefined;
}

function detailsOf({ Name, State, HostConfig }: ContainerJson): JsonObject {
  const finishedAt = Date.parse(State.FinishedAt);
  const outputs = State.Health?.Log?.map(({ Output }) => Output.trim());
  return {
    container: Name.replace(/^\//, ''),
    status: State.Status,
    ...(State.Error ? { error: State.Error } : {}),
    ...(!State.Running && finishedAt > 0 ? { finishedAt } : {}),
    ...(HostConfig.Memory > 0 ? { memoryLimit: HostConfig.Memory } : {}),
    ...(State.Health ? { healthFailures: State.Health.FailingStreak } : {}),
    ...(outputs ? { healthOutputs: outputs } : {}),
  };
}

/** The ports as they are. One that is published on all addresses is listed for each family, and counts once. */
function portsOf({ NetworkSettings }: ContainerJson): PortMapping[] {
  const ports = Object.entries(NetworkSettings.Ports ?? {}).flatMap(([inside, bindings]) => {
    const [container = '', protocol] = inside.split('/');
    return (bindings ?? []).map(
      ({ HostIp, HostPort }): PortMapping => ({
        host: Number(HostPort),
        container: Number(container),
        ip: HostIp === '' ? null : HostIp,
        protocol: protocol === 'udp' ? 'udp' : 'tcp',
      }),
    );
  });
  const keyOf = (port: PortMapping) => `${port.host} ${port.container} ${port.protocol}`;
  return ports.filter((port, index) => ports.findIndex((other) => keyOf(other) === keyOf(port)) === index);
}
