import { ArgusError, argumentList, labelNames, type RunIdentity, type RuntimeEvent } from '@argusai/core';
import { labelFilters } from '../client/label-filters.js';
import { dockerUnavailable } from '../error-codes.js';
import type { DockerParts } from './docker-parts.js';
import { marksOf } from './label-arguments.js';

const kinds = ['start', 'die', 'oom', 'kill', 'health_status', 'pause', 'unpause', 'destroy'];

const types: Readonly<Record<string, RuntimeEvent['type']>> = {
  start: 'started',
  die: 'exited',
  oom: 'oom',
  kill: 'killed',
  'health_status: healthy': 'healthy',
  'health_status: unhealthy': 'unhealthy',
  pause: 'paused',
  unpause: 'resumed',
  destroy: 'removed',
};

/** What happens to the containers of a run from this call on: one stream for all of them. */
export function watchRun(
  { client, clock }: Pick<DockerParts, 'client' | 'clock'>,
  run: RunIdentity,
  signal: AbortSignal,
): AsyncIterable<RuntimeEvent> {
  // Taken now: whatever happens before the stream stands is in it all the same.
  const since = clock.now();
  return follow();

  async function* follow(): AsyncGenerator<RuntimeEvent, void, undefined> {
    if (signal.aborted) return;
    const endpoint = await client.endpoint(signal);
    // The clock of an engine elsewhere may not be ours, and would bring up what is long past.
    const from = endpoint.startsWith('unix:') ? (since / 1000).toFixed(3) : undefined;
    const filter = ['type=container', ...kinds.map((kind) => `event=${kind}`), ...labelFilters(marksOf(run))];
    const args = argumentList(['events'], { since: from, filter, format: '{{json .}}' });
    for await (const { text, stream } of client.lines(args, { signal })) {
      const event = stream === 'stdout' ? eventOf(text) : undefined;
      if (event !== undefined) yield event;
    }
    if (signal.aborted) return;
    // The client takes the end of the daemon for the end of the stream.
    throw new ArgusError(dockerUnavailable, {
      message: 'The stream of events from Docker ended',
      details: { reason: 'not-running', endpoint },
    });
  }
}

interface EventJson {
  readonly Action: string;
  readonly Actor: { readonly ID?: string; readonly Attributes: Readonly<Record<string, string>> };
  readonly timeNano: number;
}

/** Reads an event; nothing when it is not about a service or not of a kind that matters. */
export function eventOf(line: string): RuntimeEvent | undefined {
  if (!line.startsWith('{')) return undefined;
  const { Action, Actor, timeNano }: EventJson = JSON.parse(line);
  const type = types[Action];
  const service = Actor.Attributes[labelNames.service];
  if (type === undefined || service === undefined) return undefined;
  // Any signal that somebody sends is told like that.
  if (type === 'killed' && Actor.Attributes.signal !== '9') return undefined;
  const spec = Actor.Attributes[labelNames.spec];
  const exitCode = Number(Actor.Attributes.exitCode);
  return {
    service,
    type,
    ...(type === 'exited' && Number.isInteger(exitCode) ? { exitCode } : {}),
    ...(Actor.ID === undefined ? {} : { id: Actor.ID }),
    ...(spec === undefined ? {} : { spec }),
    at: Math.floor(timeNano / 1e6),
  };
}
