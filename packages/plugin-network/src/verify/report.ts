import type { RunTopology } from '@argusai/plugin-docker';
import type { NotReconnected } from '../placement/not-reconnected.js';
import type { Connection } from './connection.js';
import type { Explored } from './explore.js';

/** Which containers of the environment are on a network, by service. */
export type NetworkMembers = { network: string; containers: string[] };

/** What a setup reports of its networks. */
export type NetworkVerification = {
  allReachable: boolean;
  results: Connection[];
  networkTopology: NetworkMembers[];
  /** Services whose container was connected to the run's network again. */
  reconnected: string[];
  /** Containers that are not on the run's network and were left like that, where there are any. */
  notReconnected?: NotReconnected[];
  /** Milliseconds since the epoch. */
  timestamp: number;
};

/** A path as a line of the matrix. */
export function connectionOf({ path, verdict, seen, via }: Explored): Connection {
  const { from, to, host } = path;
  const port = 'port' in verdict ? (verdict.port ?? seen?.ports[0]) : seen?.ports[0];
  const name = seen?.name;
  const isThere = verdict.status === 'reachable' || name?.status === 'resolved';
  return {
    from: from.name,
    to: to.name,
    host,
    port: port?.port ?? path.ports[0]?.port ?? null,
    dns: {
      ok: isThere ? true : name?.status === 'not-found' || isAboutName(verdict) ? false : null,
      latencyMs: name?.latencyMs ?? null,
      addresses: [...(name?.addresses ?? [])],
    },
    tcp:
      port === undefined || port.status === 'unclear'
        ? null
        : { ok: port.status === 'open', latencyMs: port.latencyMs },
    status: verdict.status,
    ...(verdict.status === 'reachable' ? {} : { reason: verdict.reason }),
    via,
  };
}

/** Who is on which network. */
export function membersOf(topology: RunTopology | undefined): NetworkMembers[] {
  const containers = topology?.containers ?? [];
  const names = new Set(containers.flatMap(({ networks }) => networks.map(({ name }) => name)));
  return [...names].sort().map((network) => ({
    network,
    containers: containers
      .filter(({ networks }) => networks.some(({ name }) => name === network))
      .map(({ service }) => service),
  }));
}

/** The verification as the result of a setup has it. */
export function verificationOf(
  explored: readonly Explored[],
  topology: RunTopology | undefined,
  {
    reconnected,
    refused,
    now,
  }: {
    readonly reconnected: readonly string[];
    readonly refused: readonly NotReconnected[];
    readonly now: number;
  },
): NetworkVerification {
  const results = explored.map(connectionOf);
  return {
    // To what has no port, such as a worker, there is no way that could be closed.
    allReachable: results.every(({ status, reason }) => status === 'reachable' || reason === 'no-port'),
    results,
    networkTopology: membersOf(topology),
    reconnected: [...reconnected],
    ...(refused.length === 0 ? {} : { notReconnected: [...refused] }),
    timestamp: now,
  };
}

function isAboutName(verdict: Explored['verdict']): boolean {
  return verdict.status === 'unreachable' && verdict.problem === 'dns';
}
