import { addressesMeet, portKey } from '@argusai/core';
import type { Cause, Conflict } from './conflict.js';
import type { Lease } from './lease/lease.js';
import type { LeaseBook } from './lease/lease-book.js';
import { freePlaces, placeKey } from './system/free-places.js';
import { holds, pauses } from './system/is-free.js';
import type { Place } from './system/probe.js';
import type { Sockets } from './system/sockets.js';
import type { Wish } from './wish.js';

/** What stands between wishes and their ports. */
export interface World {
  readonly sockets: Sockets;
  readonly book: LeaseBook;
  /** Whether a lease is the own run's, which is in nobody's way. */
  isOwn(lease: Lease): boolean;
  /** Places that services of the own run have already. */
  readonly occupied: readonly Wish[];
  readonly refused: readonly number[];
  readonly signal: AbortSignal;
}

/** Finds the wishes that cannot have their port, each with what is in the way. All ports are looked at together. */
export async function findConflicts(wishes: readonly Wish[], world: World): Promise<Conflict[]> {
  const free = await freePlaces(wishes, world.sockets, world.signal);
  const claimed = [...world.occupied];
  return wishes.flatMap((wish): Conflict[] => {
    const conflict = (cause: Cause) => [{ wish, cause }];
    if (world.refused.includes(wish.port)) return conflict({ kind: 'refused' });
    const rival = claimed.find((one) => isSamePlace(one, wish));
    if (rival !== undefined) return conflict({ kind: 'shared', with: rival.service });
    const lease = world.book.blocking(wish, world.isOwn);
    if (!free.has(placeKey(wish))) return conflict({ kind: 'held', ...(lease ? { lease } : {}) });
    if (lease !== undefined) return conflict({ kind: 'leased', lease });
    claimed.push(wish);
    return [];
  });
}

/**
 * Adds to conflicts who holds the port, as far as the system lets us see it, which costs more than finding them. A port that
 * nobody is listed for is tried again with patience before anyone is told that it is taken.
 */
export async function nameHolders(
  conflicts: readonly Conflict[],
  { sockets, signal }: Pick<World, 'sockets' | 'signal'>,
): Promise<Conflict[]> {
  const bound = conflicts.filter(({ cause }) => cause.kind === 'held' || cause.kind === 'refused');
  if (bound.length === 0) return [...conflicts];
  const keys = new Set(bound.map(({ wish }) => portKey(wish)));
  const holders = await (await sockets.read()).holders(keys, signal).catch(() => {
    signal.throwIfAborted();
    // Where nobody can look, nobody is named.
    return [];
  });
  const holderOf = (wish: Wish) => holders.find((one) => holds(one, wish));
  const nobodys = bound.filter(({ wish, cause }) => cause.kind === 'held' && !holderOf(wish));
  const free = await freePlaces(
    nobodys.map(({ wish }) => wish),
    sockets,
    signal,
    pauses.patient,
  );
  return conflicts.flatMap(({ wish, cause }): Conflict[] => {
    if (cause.kind !== 'held' && cause.kind !== 'refused') return [{ wish, cause }];
    const holder = holderOf(wish);
    if (holder !== undefined) return [{ wish, cause: { ...cause, holder } }];
    // Whoever starts services has the last word on a port that it was refused.
    return cause.kind === 'held' && free.has(placeKey(wish)) ? [] : [{ wish, cause }];
  });
}

function isSamePlace(one: Place, other: Place): boolean {
  return portKey(one) === portKey(other) && addressesMeet(one.address, other.address);
}
