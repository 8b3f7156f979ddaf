import type { RunIdentity } from '@argusai/core';
import type { LeaseBook } from '../lease/lease-book.js';
import type { Place } from '../system/probe.js';
import { portsAskedFor, type Wish } from '../wish.js';
import { leasedPorts, recordedPort } from './port-of-run.js';

/** What keeping ports depends on. */
export interface Keeping {
  readonly run: RunIdentity;
  readonly book: LeaseBook;
  readonly refused: readonly number[];
  readonly strategy: 'auto' | 'fail';
  /** Services that run and so hold their ports themselves; left out, nobody has looked. */
  readonly running?: readonly string[] | undefined;
  /** Whether a port can be bound at this moment. */
  isFree(place: Place): Promise<boolean>;
}

/**
 * The ports that the run has already. They are its own, so being in use speaks for them and not against, unless it is known
 * that their service does not run.
 */
export async function keepPorts(
  wishes: readonly Wish[],
  { run, book, refused, strategy, running, isFree }: Keeping,
): Promise<Map<Wish, number>> {
  const kept = new Map<Wish, number>();
  const isKept = (wish: Wish, port: number) =>
    [...kept].some(([other, taken]) => taken === port && isSameWish(other, wish));
  for (const wish of wishes) {
    const leased = leasedPorts(wish, run.id, book).find((port) => !isKept(wish, port));
    const port = leased ?? recordedPort(wish, book.run(run.id));
    if (port === undefined || refused.includes(port) || isKept(wish, port)) continue;
    // Another port than the one asked for was given when that was allowed.
    if (strategy === 'fail' && !wish.any && !portsAskedFor(wish).includes(port)) continue;
    const holdsItself = running === undefined || running.includes(wish.service);
    if (!holdsItself && !(await isFree({ ...wish, port }))) continue;
    // A run that was set up without this plugin has a record and no leases.
    const blocking =
      leased === undefined ? await book.take({ ...wish, port, wished: wish.port }, run) : undefined;
    if (blocking === undefined) kept.set(wish, port);
  }
  return kept;
}

/** Whether a service asks twice for the very same. */
function isSameWish(one: Wish, other: Wish): boolean {
  const isSamePlace = one.protocol === other.protocol && one.address === other.address;
  return isSamePlace && one.service === other.service && one.container === other.container;
}
