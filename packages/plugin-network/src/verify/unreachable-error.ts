import { ArgusError } from '@argusai/core';
import type { DockerClient } from '@argusai/plugin-docker';
import { dnsResolutionFailed, networkUnreachable } from '../error-codes.js';
import { describeRefused, type NotReconnected, waitsForApproval } from '../placement/not-reconnected.js';
import { describe } from './describe.js';
import type { Explored } from './explore.js';
import { connectionOf, membersOf } from './report.js';
import type { Survey } from './survey.js';

// A setup that fails leaves nothing behind that could be connected again, but for what ran already and it may not touch.
const afterwards = { suggestedActions: ['setup', 'status'] } as const;
const unresolved = { ...dnsResolutionFailed, ...afterwards };
const unreachable = { ...networkUnreachable, ...afterwards };

/** What the error is made from. */
export interface UnreachableParts {
  readonly client: () => DockerClient;
  readonly survey: Survey;
  /** Containers that are not on the network and were left like that. */
  readonly refused: readonly NotReconnected[];
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** The error of an environment in which one does not reach another; nothing when none is known not to. */
export async function unreachableError(
  explored: readonly Explored[],
  { client, survey, refused, timeoutMs, signal }: UnreachableParts,
): Promise<ArgusError | undefined> {
  const closed = explored.filter(({ verdict }) => verdict.status === 'unreachable');
  const [first] = closed;
  if (first === undefined || first.verdict.status !== 'unreachable') return undefined;
  const { path, verdict } = first;
  const message = [...closed.map((one) => describe(one, timeoutMs)), ...describeRefused(refused)].join('; ');
  const canBeFixed = waitsForApproval(refused);
  const common = {
    source: path.from.name,
    target: path.to.name,
    host: path.host,
    topology: membersOf(survey.topology),
    connectivity: explored.map(connectionOf),
    ...(refused.length > 0 ? { notReconnected: [...refused] } : {}),
  };
  const isOff = refused.some(
    ({ service, problem }) => problem === 'not-connected' && [path.from.name, path.to.name].includes(service),
  );
  // That its name leads nowhere only follows from that.
  if (verdict.problem === 'dns' && isOff) {
    const port = path.ports[0]?.port ?? null;
    const dns = { resolved: false, addresses: [] };
    const details = { ...common, port, reason: 'not-connected' as const, dns };
    return new ArgusError(canBeFixed ? networkUnreachable : unreachable, { message, details });
  }
  if (verdict.problem === 'dns') {
    const network = survey.where(path.to) === 'container' ? (survey.topology?.network ?? null) : null;
    const containers = network === null ? [] : await containersOn(client(), network, signal);
    const details = { ...common, reason: verdict.reason, network, containers };
    return new ArgusError(canBeFixed ? dnsResolutionFailed : unresolved, { message, details });
  }
  const { reason, port } = verdict;
  const { status, addresses } = first.seen?.name ?? { status: 'unclear', addresses: [] };
  const dns = { resolved: status === 'resolved', addresses: [...addresses] };
  return new ArgusError(canBeFixed ? networkUnreachable : unreachable, {
    message,
    details: { ...common, port: port.port, reason, dns },
  });
}

/** The names of all containers on a network, also of those that are not ours. */
async function containersOn(client: DockerClient, network: string, signal: AbortSignal): Promise<string[]> {
  const [found] = await client.inspect<{ Containers: Record<string, { Name: string }> | null }>(
    'network',
    [network],
    { signal },
  );
  return Object.values(found?.Containers ?? {})
    .map(({ Name }) => Name)
    .sort();
}
