import { accessSync, constants, existsSync, renameSync } from 'node:fs';
import { dirname } from 'node:path';
import { asideMark } from './damage-notices.js';
import { identityOf } from './file-access.js';
import { heldSuffix } from './held-file.js';
import type { Opening } from './open-database.js';

/** What belongs to a database and lies beside it. */
const companions = ['-wal', '-shm', heldSuffix];

/**
 * Moves a damaged database out of the way, never over anything, and returns its new name; nothing when another
 * process has already done it, so that nobody moves the new file which came in its place.
 */
export function setAside(
  { Database, path, timeout }: Opening,
  identity: string | undefined,
  now: number,
): string | undefined {
  accessSync(dirname(path), constants.W_OK);
  // An empty database is the lock: the operating system releases it, however the process that holds it ends.
  const lock = new Database(`${path}.lock`, { timeout });
  try {
    lock.exec('BEGIN EXCLUSIVE');
    if (identity === undefined || identityOf(path) !== identity) return undefined;
    const target = freeName(`${path}${asideMark}${new Date(now).toISOString().replaceAll(/[:.]/g, '-')}`);
    // The log goes first: SQLite would replay it into a new file that it found beside it.
    for (const suffix of [...companions, '']) {
      if (existsSync(path + suffix)) renameSync(path + suffix, target + suffix);
    }
    return target;
  } finally {
    lock.close();
  }
}

function freeName(name: string): string {
  const isTaken = (candidate: string) => ['', ...companions].some((suffix) => existsSync(candidate + suffix));
  let candidate = name;
  for (let count = 2; isTaken(candidate); count += 1) candidate = `${name}-${count}`;
  return candidate;
}
