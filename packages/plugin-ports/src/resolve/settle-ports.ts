import { ArgusError, type PortKey, portKey, type StageContext } from '@argusai/core';
import type { Cause, Conflict } from '../conflict.js';
import { portExhaustion } from '../error-codes.js';
import type { World } from '../find-conflicts.js';
import { type PortRange, sizeOf } from '../port-range.js';
import { freePlaces, placeKey } from '../system/free-places.js';
import { isFree, pauses } from '../system/is-free.js';
import { probe } from '../system/probe.js';
import type { Wish } from '../wish.js';
import { assignPorts } from './assign-ports.js';

/** What settling needs besides the wishes. */
export interface Settling {
  readonly world: World;
  readonly run: StageContext['run'];
  readonly range: PortRange;
  /** What was found to be in the way a moment ago. */
  readonly conflicts: readonly Conflict[];
  /** Whether something took its time since then, in which a port may have become free. */
  readonly isLater: boolean;
  /** Told when a wish loses its own port only now; may throw to end it all. */
  readonly onConflict: (conflict: Conflict) => void;
}

/**
 * Gives every wish a port that can be bound at this moment and that is leased to the run. Ports are given out, tried
 * and leased all at once; those that fail go into another round. A port that was taken a moment ago is given to whoever
 * asked for it when it has become free.
 */
export async function settlePorts(
  wishes: readonly Wish[],
  { world, run, range, conflicts, isLater, onConflict }: Settling,
): Promise<Map<Wish, number>> {
  const settled = new Map<Wish, number>();
  const denied = await stillDenied(conflicts, isLater, world);
  const tried = new Set<PortKey>();
  for (let pending = wishes; pending.length > 0; pending = wishes.filter((wish) => !settled.has(wish))) {
    const claimed = [...world.occupied, ...[...settled].map(([wish, port]) => ({ ...wish, port }))];
    const taken = new Set([...tried, ...takenPorts(world, run.id)]);
    const { given, left } = assignPorts(pending, { claimed, denied, taken, range });
    const [unlucky] = left;
    if (unlucky !== undefined) throw exhausted(unlucky, range);
    for (const { wish, port, cause } of await takeAll(given, world, run)) {
      tried.add(portKey({ ...wish, port }));
      if (cause === undefined) settled.set(wish, port);
      else if (port === wish.port) {
        denied.add(wish);
        if (!wish.any) onConflict({ wish, cause });
      }
    }
    world.signal.throwIfAborted();
  }
  return settled;
}

/** Who still cannot have the port they asked for. */
async function stillDenied(
  conflicts: readonly Conflict[],
  isLater: boolean,
  { sockets, signal }: World,
): Promise<Set<Wish>> {
  const held = conflicts.filter(({ cause }) => isLater && cause.kind === 'held').map(({ wish }) => wish);
  const freed = await freePlaces(held, sockets, signal, pauses.none);
  const denied = conflicts.filter(
    ({ wish, cause }) => cause.kind !== 'shared' && !(cause.kind === 'held' && freed.has(placeKey(wish))),
  );
  return new Set(denied.map(({ wish }) => wish));
}

/** Takes ports, and comes back only when nothing is under way any more, also when something broke. */
async function takeAll(given: ReadonlyMap<Wish, number>, world: World, run: StageContext['run']) {
  const takes = [...given].map(async ([wish, port]) => {
    return { wish, port, cause: await take(wish, port, world, run) };
  });
  await Promise.allSettled(takes);
  return Promise.all(takes);
}

/** Ports that nobody is given who did not ask for them, on whatever address they are in use. */
function takenPorts({ sockets, book, occupied, refused }: World, runId: string): PortKey[] {
  return [
    ...sockets.known.map(portKey),
    ...book.keysOfOthers(runId),
    ...occupied.map(portKey),
    ...refused.flatMap((port) => [portKey({ protocol: 'tcp', port }), portKey({ protocol: 'udp', port })]),
  ];
}

/** Takes a port for a wish; gives what was in the way when it could not be had. */
async function take(
  wish: Wish,
  port: number,
  { sockets, book, signal }: World,
  run: StageContext['run'],
): Promise<Cause | undefined> {
  const place = { ...wish, port };
  if (port === wish.port) {
    if (!(await isFree(place, sockets, signal))) return { kind: 'held' };
  } else if ((await probe(place)) === 'held') {
    // One that nobody asked for is not worth waiting for; but the next choice should be a better one.
    await sockets.read();
    return { kind: 'held' };
  }
  const lease = await book.take({ ...place, wished: wish.port }, run);
  return lease === undefined ? undefined : { kind: 'leased', lease };
}

function exhausted({ service, port, protocol }: Wish, range: PortRange): ArgusError {
  const { first, last } = range;
  const tried = sizeOf(range);
  const taken =
    tried === 1
      ? `${first}, the only one of the range, is taken`
      : `all ${tried} from ${first} to ${last} are taken`;
  return new ArgusError(portExhaustion, {
    message: `No free ${protocol} port for ${service} instead of ${port}: ${taken}`,
    details: { service, port, protocol, tried, range: `${first}-${last}` },
  });
}
