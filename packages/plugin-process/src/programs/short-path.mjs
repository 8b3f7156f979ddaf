import { randomUUID } from 'node:crypto';
import { rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

/** What every system has room for in the address of a socket, in bytes. */
const longest = 100;

/**
 * Uses the path of a socket. Too long a one is reached through a link that is there for this moment only, under a name that nobody can know.
 * @template T
 * @param {string} folder
 * @param {string} name
 * @param {(path: string) => T} use It takes the path before it returns.
 * @returns {T}
 */
export function withShortPath(folder, name, use) {
  const path = join(folder, name);
  if (Buffer.byteLength(path) <= longest) return use(path);
  const link = `/tmp/argus-${randomUUID()}`;
  symlinkSync(folder, link);
  try {
    return use(join(link, name));
  } finally {
    rmSync(link);
  }
}
