import { readFileSync } from 'node:fs';
import { uptime } from 'node:os';

const bootId = '/proc/sys/kernel/random/boot_id';

// How far the time of the start, worked out from two clocks, may be from itself.
const inaccuracySeconds = 5;

/** Names the time from one start of the machine to the next: by its id, or by when it began where it has none. */
export function bootSession(idFile: string = bootId): string {
  try {
    return readFileSync(idFile, 'utf8').trim();
  } catch {
    // Only Linux gives an id. The clock is the machine's own, since its start is what is asked for.
    return String(Math.round(Date.now() / 1000 - uptime()));
  }
}

/** Tells whether two names are of the same session. */
export function isSameSession(one: string, other: string): boolean {
  return one === other || Math.abs(Number(one) - Number(other)) <= inaccuracySeconds;
}
