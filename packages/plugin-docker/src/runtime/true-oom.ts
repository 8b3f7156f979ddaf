import { argumentList, causedEnd } from '@argusai/core';
import type { DockerClient } from '../client/docker-client.js';
import type { ContainerJson } from './container-json.js';

/**
 * The containers, with the truth about their memory. Docker may take note of an end before it hears that memory was the reason, and
 * then never says so of the container; and when only a child was killed for it, it says so of whatever end comes later. Its events
 * tell both apart, and when it was. Only what may have ended like that is asked about, and only an engine on this machine, whose clock is ours. Where
 * its events are forgotten, what it says of the container has to do.
 */
export async function withTrueOom(
  client: DockerClient,
  containers: readonly ContainerJson[],
  signal: AbortSignal,
): Promise<readonly ContainerJson[]> {
  const doubtful = containers.filter(
    ({ State, HostConfig }) =>
      !State.Running && (State.OOMKilled || (State.ExitCode !== 0 && HostConfig.Memory > 0)),
  );
  if (doubtful.length === 0 || !(await client.endpoint(signal)).startsWith('unix:')) return containers;
  const since = Math.min(...doubtful.map(startOf));
  const told = await client.run(
    argumentList(['events'], {
      since: seconds(since),
      until: seconds(Date.now()),
      filter: ['event=oom', 'event=kill', ...doubtful.map(({ Id }) => `container=${Id}`)],
      format: '{{.Actor.ID}} {{.TimeNano}} {{.Action}} {{.Actor.Attributes.signal}}',
    }),
    { signal },
  );
  const happened = told.split('\n').map(happeningOf);
  return containers.map((container) => {
    const start = startOf(container);
    const own = happened.filter(({ id, at }) => id === container.Id && at >= start);
    const oom = own.filter(({ action }) => action === 'oom').at(-1);
    if (!oom || container.State.Running) return container;
    const isKilled = own.some(({ action, signal, at }) => action === 'kill' && signal === '9' && at > oom.at);
    const OOMKilled = !isKilled && causedEnd(oom.at, Date.parse(container.State.FinishedAt));
    const when = OOMKilled ? { oomAt: Math.floor(oom.at) } : {};
    return { ...container, State: { ...container.State, OOMKilled, ...when } };
  });
}

function happeningOf(line: string) {
  const [id = '', nanoseconds, action, signal] = line.split(' ');
  return { id, at: Number(nanoseconds) / 1e6, action, signal };
}

function startOf({ State }: ContainerJson): number {
  return Date.parse(State.StartedAt);
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1_000).toFixed(3);
}
