import type { DockerClient } from '../client/docker-client.js';
import type { ContainerJson } from './container-json.js';

/**
 * The containers, with what Docker has missed about them: it may take note of an end before it hears that memory was the
 * reason, and then never says so of the container. Its events do. Only what ended like that within a limit is asked about,
 * and only an engine on this machine, whose clock is ours.
 */
export async function withMissedOom(
  client: DockerClient,
  containers: readonly ContainerJson[],
  signal: AbortSignal,
): Promise<readonly ContainerJson[]> {
  const doubtful = containers.filter(
    ({ State, HostConfig }) =>
      !State.Running && State.ExitCode === 137 && !State.OOMKilled && HostConfig.Memory > 0,
  );
  if (doubtful.length === 0 || !(await client.endpoint(signal)).startsWith('unix:')) return containers;
  const since = Math.min(...doubtful.map(startOf));
  const told = await client.run(
    [
      ...['events', '--since', seconds(since), '--until', seconds(Date.now())],
      ...['--filter', 'event=oom', ...doubtful.flatMap(({ Id }) => ['--filter', `container=${Id}`])],
      ...['--format', '{{.Actor.ID}} {{.TimeNano}}'],
    ],
    { signal },
  );
  const ooms = told.split('\n').map((line) => line.split(' '));
  return containers.map((container) => {
    const start = startOf(container);
    const isMissed = ooms.some(
      ([id, nanoseconds]) => id === container.Id && Number(nanoseconds) / 1e6 >= start,
    );
    return isMissed ? { ...container, State: { ...container.State, OOMKilled: true } } : container;
  });
}

function startOf({ State }: ContainerJson): number {
  return Date.parse(State.StartedAt);
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1_000).toFixed(3);
}
