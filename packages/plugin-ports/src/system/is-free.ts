import { setTimeout as wait } from 'node:timers/promises';
import { addressesMeet, type BoundSocket } from '@argusai/core';
import { type Place, probe } from './probe.js';
import type { Sockets } from './sockets.js';

/**
 * How long to wait before another try, in milliseconds. Another argus that looks at the same moment holds a port for an
 * instant: `once` is enough for it to be gone as a rule, `patient` also when the machine is busy.
 */
export const pauses = { none: [], once: [1], patient: [5, 25] } as const;

/** Whether a port can be bound, tried as often as there are pauses and once more. */
export async function isFree(
  place: Place,
  sockets: Sockets,
  signal: AbortSignal,
  pausesMs: readonly number[] = pauses.once,
): Promise<boolean> {
  const first = await probe(place);
  if (first === 'free') return true;
  // Where binding tells nothing, the list is all there is.
  if (first === 'unclear') return !(await sockets.read()).sockets.some((socket) => holds(socket, place));
  sockets.foresee();
  for (const pause of pausesMs) {
    await wait(pause, undefined, { signal });
    if ((await probe(place)) !== 'held') return true;
  }
  return false;
}

/** Whether a socket is on a port, on an address that matters there. */
export function holds(socket: BoundSocket, { protocol, port, address }: Place): boolean {
  return socket.port === port && socket.protocol === protocol && addressesMeet(socket.address, address);
}
