import {
  type ArgusConfig,
  describeHolder,
  formatPath,
  type Holder,
  isGone,
  type JsonObject,
} from '@argusai/core';
import type { Lease } from './lease/lease.js';
import type { Wish } from './wish.js';

/** Why a wish cannot be fulfilled as it is. */
export type Cause =
  | { readonly kind: 'held'; readonly holder?: Holder; readonly lease?: Lease }
  | { readonly kind: 'leased'; readonly lease: Lease }
  | { readonly kind: 'shared'; readonly with: string }
  | { readonly kind: 'refused'; readonly holder?: Holder }
  | { readonly kind: 'range'; readonly last: number };

/** A wish that cannot be fulfilled as it is. */
export interface Conflict {
  readonly wish: Wish;
  readonly cause: Cause;
}

/** Conflicts in words, those of one port with one cause together: `tcp port 3000 of api, web is held by …`. */
export function describeConflicts(conflicts: readonly Conflict[]): string {
  const services = new Map<string, { port: string; cause: string; names: Set<string> }>();
  for (const { wish, cause } of conflicts) {
    const [port, text] = [`${wish.protocol} port ${wish.port}`, describeCause(cause)];
    const group = services.get(`${port} ${text}`) ?? { port, cause: text, names: new Set() };
    group.names.add(wish.service);
    services.set(`${port} ${text}`, group);
  }
  const groups = [...services.values()];
  return groups.map(({ port, cause, names }) => `${port} of ${[...names].join(', ')} ${cause}`).join('; ');
}

function describeCause(cause: Cause): string {
  if (cause.kind === 'range') return `is taken, and so are all others up to ${cause.last}`;
  if (cause.kind === 'refused') {
    const { pid } = cause.holder ?? {};
    return `was taken when the service was started${pid === undefined ? '' : `, by process ${pid}`}`;
  }
  if (cause.kind === 'shared') return `is asked for by ${cause.with} too`;
  if (cause.kind === 'leased') return `is leased to ${describeLease(cause.lease)}`;
  if (cause.lease) return `is held for ${describeLease(cause.lease)}`;
  const { holder } = cause;
  if (holder?.pid === undefined) return 'is held by a process that this user cannot see';
  return `is held by ${describeHolder(holder)}`;
}

/** Why a service gets no other port where the configuration forbids it. */
export function notMoved() {
  const key = 'resilience.network.portConflictStrategy';
  return { reason: 'not-moved', where: { key, effect: 'not moved', to: 'auto' } } as const;
}

/** Where the configuration asks for a port. */
export function askedFor({ service, port, container }: Wish, { services }: Pick<ArgusConfig, 'services'>) {
  const ports = services[service]?.ports;
  if (ports === undefined) return { where: { key: formatPath(['mocks', service, 'port']) } };
  const index = ports.findIndex(
    ({ host, hostRange, container: inside }) => (hostRange?.[0] ?? host) === port && inside === container,
  );
  return { where: { key: formatPath(['services', service, 'ports', ...(index < 0 ? [] : [index])]) } };
}

function describeLease({ service, project, worktree, runId }: Lease): string {
  const gone = isGone(worktree) ? ', whose folder is gone' : '';
  return `${service} of the project ${project} in ${worktree} (run ${runId})${gone}`;
}

/** What heals a conflict: to take down the run that has the port where nobody can do that in its folder any more, or else this. */
export function curing<Otherwise>({ cause }: Conflict, otherwise: Otherwise) {
  const lease = 'lease' in cause ? cause.lease : undefined;
  return lease && isGone(lease.worktree) ? ({ reason: 'folder-gone' } as const) : otherwise;
}

/** What programs are told of a conflict. */
export function conflictDetails({ wish, cause }: Conflict): {
  service: string;
  port: number;
  protocol: 'tcp' | 'udp';
  pid?: number;
  command?: string;
  run?: string;
  project?: string;
  worktree?: string;
} & JsonObject {
  const { service, port, protocol } = wish;
  const lease = 'lease' in cause ? cause.lease : undefined;
  if (lease) {
    // What publishes ports for an engine says nothing of whose they are.
    const { runId: run, project, worktree } = lease;
    return { service, port, protocol, run, project, worktree };
  }
  const { pid, command } = ('holder' in cause && cause.holder) || {};
  return {
    service,
    port,
    protocol,
    ...(pid === undefined ? {} : { pid }),
    ...(command === undefined ? {} : { command }),
  };
}
