import {
  ArgusError,
  type PortAssignment,
  type PortKey,
  type PortResolution,
  portConflict,
  portKey,
  type StageContext,
  type StateStore,
} from '@argusai/core';
import { type Conflict, conflictDetails, curing, describeConflicts, notMoved } from '../conflict.js';
import { findConflicts, nameHolders, type World } from '../find-conflicts.js';
import type { Lease } from '../lease/lease.js';
import { LeaseBook } from '../lease/lease-book.js';
import type { PortRange } from '../port-range.js';
import { isFree } from '../system/is-free.js';
import { Sockets } from '../system/sockets.js';
import { portsAskedFor, type Wish, wishesOf } from '../wish.js';
import { keepPorts } from './keep-ports.js';
import { settlePorts } from './settle-ports.js';

/** How ports are resolved. */
export interface ResolveSettings {
  readonly store: StateStore;
  readonly strategy: 'auto' | 'fail';
  readonly range: PortRange;
}

/** Gives every service of an environment the ports that it can have, leased to the run. */
export async function resolvePorts(
  resolution: PortResolution,
  stage: StageContext,
  settings: ResolveSettings,
): Promise<PortResolution> {
  const { named } = resolution;
  const wished = new Map(resolution.services.map((service) => [service, wishesOf(service, named)]));
  const wishes = [...wished.values()].flat().filter((wish) => wish !== undefined);
  const ports = await portsFor(wishes, resolution, stage, settings);
  const portMappings = wishes.map((wish) => assignmentOf(wish, ports.get(wish) ?? wish.port));
  for (const { service, originalPort: original, actualPort: actual, reassigned } of portMappings) {
    if (reassigned) stage.events.emit('port_reassigned', { service, original, actual });
  }
  return {
    ...resolution,
    services: resolution.services.map((service) => ({
      ...service,
      ports: service.ports.map((mapping, index) => {
        const wish = wished.get(service)?.[index];
        return wish === undefined ? mapping : { ...mapping, host: ports.get(wish) ?? mapping.host };
      }),
    })),
    portMappings,
  };
}

/** What is told of a wish. A container that takes any port has asked for none that it could lose, and one of a range for any of it. */
function assignmentOf(wish: Wish, actualPort: number): PortAssignment {
  const { service, port, protocol, container: containerPort } = wish;
  const originalPort = wish.inContainer ? actualPort : port;
  const reassigned = !wish.inContainer && !portsAskedFor(wish).includes(actualPort);
  return { service, originalPort, actualPort, reassigned, protocol, containerPort };
}

async function portsFor(
  wishes: readonly Wish[],
  { refused, running }: Pick<PortResolution, 'refused' | 'running'>,
  { run, events, clock, signal }: StageContext,
  { store, strategy, range }: ResolveSettings,
): Promise<Map<Wish, number>> {
  signal.throwIfAborted();
  const book = await LeaseBook.open(store, () => clock.now());
  const before = new Set(book.leasesOf(run.id).map(({ key, lease }) => nameOf(key, lease)));
  const told = new Set<Wish>();
  const tell = (conflict: Conflict) => {
    if (told.has(conflict.wish)) return;
    told.add(conflict.wish);
    const { service, port, pid } = conflictDetails(conflict);
    events.emit('port_conflict', { service, port, ...(pid === undefined ? {} : { pid }) });
  };
  const refuse = (conflicts: readonly Conflict[]) => {
    conflicts.forEach(tell);
    const [first] = conflicts;
    if (strategy === 'fail' && first !== undefined) throw conflictError(first, conflicts);
  };

  try {
    // Who holds a port is of use only to those who are told.
    const isTold = strategy === 'fail' || events.isUsed;
    const sockets = new Sockets(
      wishes.map(({ protocol }) => protocol),
      { asksWho: isTold },
    );
    const keeping = { run, book, refused, strategy, running };
    const kept = await keepPorts(wishes, {
      ...keeping,
      isFree: (place) => isFree(place, sockets, signal),
    });
    const occupied = [...kept].map(([wish, port]) => ({ ...wish, port }));
    const isOwn = ({ runId }: Lease) => runId === run.id;
    const world: World = { sockets, book, isOwn, occupied, refused, signal };
    const open = wishes.filter((wish) => !kept.has(wish));
    const fixed = open.filter(({ any }) => !any);
    const found = await findConflicts(fixed, world);
    const conflicts = isTold ? await nameHolders(found, world) : found;
    // One of a range may have another of it, so its first is nothing to fail for yet.
    refuse(conflicts.filter(({ wish }) => wish.within === undefined));
    const onConflict = (one: Conflict) => refuse(one.wish.within ? [] : [one]);
    const settling = { world, run, range, conflicts, isLater: isTold, onConflict };
    const settled = await settlePorts(open, settling);
    refuse(conflictsOf(settled));
    const ports = new Map([...kept, ...settled]);
    const used = new Set([...ports].map(([wish, port]) => nameOf(portKey({ ...wish, port }), wish)));
    await book.release(run.id, (key, lease) => used.has(nameOf(key, lease)));
    return ports;
  } catch (thrown) {
    await book.release(run.id, (key, lease) => before.has(nameOf(key, lease)));
    throw thrown;
  }
}

/** Wishes for one of a range that got none of it. */
function conflictsOf(settled: ReadonlyMap<Wish, number>): Conflict[] {
  return [...settled].flatMap(([wish, port]): Conflict[] => {
    if (!wish.within || portsAskedFor(wish).includes(port)) return [];
    return [{ wish, cause: { kind: 'range', last: wish.within.last } }];
  });
}

/** Tells the leases of a run apart. */
function nameOf(key: PortKey, { service, container, address }: Wish | Lease): string {
  return `${key} ${service} ${container} ${address}`;
}

/** The first conflict is the error; the message names them all. */
function conflictError(first: Conflict, conflicts: readonly Conflict[]): ArgusError {
  return new ArgusError(portConflict, {
    message: describeConflicts(conflicts),
    details: { ...conflictDetails(first), ...curing(first, notMoved()) },
  });
}
