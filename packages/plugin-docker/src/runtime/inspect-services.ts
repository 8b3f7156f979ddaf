import {
  type JsonObject,
  labelNames,
  type PortMapping,
  type RunIdentity,
  type ServiceState,
} from '@argusai/core';
import type { DockerClient } from '../client/docker-client.js';
import { healthLog } from '../containers/health-log.js';
import type { ContainerJson } from './container-json.js';
import { containerName } from './names.js';
import { withTrueOom } from './true-oom.js';

/**
 * How services of a run are, in one look. It asks for them by name: to look at a container takes until its start is done,
 * so one that others wait for must not stand in the way.
 */
export async function inspectServices(
  client: DockerClient,
  run: RunIdentity,
  services: readonly string[],
  signal: AbortSignal,
): Promise<ServiceState[]> {
  if (services.length === 0) return [];
  const names = services.map((service) => containerName(run, service));
  const found = await withTrueOom(
    client,
    await client.inspect<ContainerJson>('container', names, { signal }),
    signal,
  );
  const containers = new Map(
    found
      .filter(({ Config }) => Config.Labels?.[labelNames.runId] === run.id)
      .map((container) => [container.Config.Labels?.[labelNames.service], container]),
  );
  return services.map((service) => {
    const container = containers.get(service);
    return container === undefined ? { service, status: 'missing' } : stateOf(service, container);
  });
}

function stateOf(service: string, container: ContainerJson): ServiceState {
  const { State, Config, RestartCount } = container;
  const startedAt = Date.parse(State.StartedAt);
  const endedAt = Date.parse(State.FinishedAt);
  const spec = Config.Labels?.[labelNames.spec];
  const health = healthOf(State.Health?.Status);
  const ports = portsOf(container);
  return {
    service,
    status: State.Running ? 'running' : 'exited',
    ...(State.Paused ? { paused: true as const } : {}),
    id: container.Id,
    ...(spec === undefined ? {} : { spec }),
    ...(health === undefined || !State.Running ? {} : { health }),
    ...(State.Health?.Log ? { healthOutputs: healthLog(State) } : {}),
    ...(State.Running ? {} : { exitCode: State.ExitCode }),
    oomKilled: State.OOMKilled,
    ...(State.oomAt === undefined ? {} : { oomAt: State.oomAt }),
    restarts: RestartCount,
    ...(container.HostConfig.Memory > 0 ? { memory: { limit: container.HostConfig.Memory } } : {}),
    ...(State.Running || !(endedAt > 0) ? {} : { endedAt }),
    // A container that was never started has begun in the year 1.
    ...(startedAt > 0 ? { startedAt } : {}),
    ...(ports.length > 0 ? { ports } : {}),
    details: detailsOf(container),
  };
}

function healthOf(status: string | undefined): ServiceState['health'] {
  return status === 'starting' || status === 'healthy' || status === 'unhealthy' ? status : undefined;
}

function detailsOf({ Name, State }: ContainerJson): JsonObject {
  return {
    container: Name.replace(/^\//, ''),
    status: State.Status,
    ...(State.Error ? { error: State.Error } : {}),
    ...(State.Health ? { healthFailures: State.Health.FailingStreak } : {}),
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
