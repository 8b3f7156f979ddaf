import { addressesMeet, type PortKey, portKey } from '@argusai/core';
import { firstOrdinaryPort, type PortRange, portsNear } from '../port-range.js';
import type { Place } from '../system/probe.js';
import { portsAskedFor, type Wish } from '../wish.js';

/** What is known before ports are given out. */
export interface Ground {
  /** What others of the same environment have already. */
  readonly claimed: readonly Place[];
  /** Wishes that cannot have the port they ask for. */
  readonly denied: ReadonlySet<Wish>;
  /** Ports that are given to nobody who did not ask for them. */
  readonly taken: ReadonlySet<PortKey>;
  /** Where others are looked for. */
  readonly range: PortRange;
}

/** Which port each wish gets, and those for which there is none. */
export interface Assignments {
  readonly given: ReadonlyMap<Wish, number>;
  readonly left: readonly Wish[];
}

/**
 * Gives every wish its own port when it can have it, the first of those who ask for the same; then to the others the
 * nearest port that nobody has and nobody else asks for.
 */
export function assignPorts(wishes: readonly Wish[], ground: Ground): Assignments {
  const { denied, taken, range } = ground;
  const given = new Map<Wish, number>();
  const claims = new Map<PortKey, string[]>();
  const claim = (place: Place) =>
    claims.set(portKey(place), [...(claims.get(portKey(place)) ?? []), place.address]);
  ground.claimed.forEach(claim);
  // Who asked for a port comes before those for whom it is only one of many.
  for (const wish of wishes.toSorted((one, other) => Number(one.any) - Number(other.any))) {
    const key = portKey(wish);
    const others = claims.get(key) ?? [];
    if (denied.has(wish) || others.some((address) => addressesMeet(address, wish.address))) continue;
    if (wish.any && (wish.port < firstOrdinaryPort || taken.has(key))) continue;
    claim(wish);
    given.set(wish, wish.port);
  }
  const asked = new Set([...claims.keys(), ...[...denied].map(portKey)]);
  const left: Wish[] = [];
  for (const wish of wishes.filter((one) => !given.has(one))) {
    const port = freePort(wish, range, (key) => taken.has(key) || asked.has(key));
    if (port === undefined) left.push(wish);
    else {
      given.set(wish, port);
      asked.add(portKey({ ...wish, port }));
    }
  }
  return { given, left };
}

/** Those that are as good as the one asked for come before all others. */
function freePort(wish: Wish, range: PortRange, isTaken: (key: PortKey) => boolean): number | undefined {
  const { protocol, port: wished } = wish;
  for (const ports of [wish.within ? portsAskedFor(wish) : [], portsNear(wished, range)]) {
    for (const port of ports) if (!isTaken(portKey({ protocol, port }))) return port;
  }
  return undefined;
}
