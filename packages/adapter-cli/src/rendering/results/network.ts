import type { Line } from '../text/line.js';
import { took } from '../text/took.js';

/** The part of a network verification that is shown. */
export interface ShownNetwork {
  readonly results: readonly {
    readonly from: string;
    readonly to: string;
    readonly host: string;
    readonly port: number | null;
    readonly status: string;
    readonly reason?: string | undefined;
    readonly via: string | null;
    readonly tcp: { readonly latencyMs: number | null } | null;
  }[];
  readonly reconnected: readonly string[];
}

/** A verification, if it is one: the result of a setup holds whatever a plugin reports under that name. */
export function shownNetwork(verification: unknown): ShownNetwork | undefined {
  const { results, reconnected } = (verification ?? {}) as Partial<ShownNetwork>;
  return Array.isArray(results) && Array.isArray(reconnected) ? { results, reconnected } : undefined;
}

const words: Readonly<Record<string, string>> = {
  'no-tool': 'there is nothing to look with',
  'nobody-listens': 'the way is open, but nobody listens there yet',
  'no-answer': 'the name server is silent',
  'not-found': 'the name cannot be resolved',
  older: 'it was kept from an earlier setup and cannot know what came later',
};

/** Who reaches whom, for people: what was connected again, each path that was not found open, and how many were. */
export function networkLines(network: ShownNetwork | undefined): Line[] {
  if (!network) return [];
  const { reconnected } = network;
  // To what has no port, such as a worker, there is no way that could be closed.
  const results = network.results.filter(({ reason }) => reason !== 'no-port');
  const open = results.filter(({ status }) => status === 'reachable');
  const slowest = Math.max(...open.map(({ tcp }) => tcp?.latencyMs ?? -1));
  const count = open.length === results.length ? `${results.length}` : `${open.length} of ${results.length}`;
  const speed = slowest < 0 ? '' : `, slowest ${took(slowest)}`;
  return [
    ...reconnected.map((service): Line => [`${service} was connected to its network again`]),
    ...results.filter(({ status }) => status !== 'reachable').map(closedLine),
    ...(results.length > 0
      ? [[`${count} ${results.length === 1 ? 'path' : 'paths'} verified${speed}`] satisfies Line]
      : []),
  ];
}

/** `web → api unknown: api:80, tried inside: there is nothing to look with (no-tool)`. */
function closedLine({ from, to, host, port, status, reason, via }: ShownNetwork['results'][number]): Line {
  const tried = `${host}${port === null ? '' : `:${port}`}${via === null ? '' : `, tried ${howTried(via)}`}`;
  const why = reason === undefined ? '' : `: ${words[reason] ? `${words[reason]} (${reason})` : reason}`;
  return [`${from} → ${to} `, [status, status === 'unknown' ? 'yellow' : 'red'], `: ${tried}${why}`];
}

function howTried(via: string): string {
  if (via === 'companion') return 'with a companion';
  return via === 'this machine' ? 'from this machine' : `${via} the container`;
}
