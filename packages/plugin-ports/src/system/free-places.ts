import { type PortKey, portKey } from '@argusai/core';
import { isFree, pauses } from './is-free.js';
import type { Place } from './probe.js';
import type { Sockets } from './sockets.js';

/** Each try needs an open file, of which a process may have a thousand or fewer. */
const atOnce = 200;

/**
 * The keys of the places that can be bound now, all looked at together. Those of one port are tried in turn, so that no
 * try is in the way of another.
 */
export async function freePlaces(
  places: readonly Place[],
  sockets: Sockets,
  signal: AbortSignal,
  pausesMs: readonly number[] = pauses.once,
): Promise<ReadonlySet<string>> {
  const free = new Set<string>();
  const byPort = new Map<PortKey, Map<string, Place>>();
  for (const place of places) {
    const ofPort = byPort.get(portKey(place)) ?? new Map<string, Place>();
    byPort.set(portKey(place), ofPort.set(place.address, place));
  }
  const tryInTurn = async (ofPort: Iterable<Place>) => {
    for (const place of ofPort) if (await isFree(place, sockets, signal, pausesMs)) free.add(placeKey(place));
  };
  const ports = [...byPort.values()];
  for (let begun = 0; begun < ports.length; begun += atOnce) {
    await Promise.all(ports.slice(begun, begun + atOnce).map((ofPort) => tryInTurn(ofPort.values())));
  }
  return free;
}

/** Tells places apart. */
export function placeKey(place: Place): string {
  return `${portKey(place)} ${place.address}`;
}
