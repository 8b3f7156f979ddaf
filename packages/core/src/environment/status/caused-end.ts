/** How long a service that is killed for its memory takes to be gone, at most, in milliseconds: a busy machine frees it slowly. */
const reachMs = 5_000;

/**
 * Whether memory that ran out is the reason of an end, by the runtime's times of both. One of several processes may be killed for
 * it and the service live on: then it says nothing about an end that comes later.
 */
export function causedEnd(oomAt: number, endedAt: number | undefined): boolean {
  // The news of it may come after that of the end.
  return endedAt !== undefined && Math.abs(endedAt - oomAt) <= reachMs;
}
