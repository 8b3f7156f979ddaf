import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { replaceOwnFile } from '@argusai/core';

/**
 * The name of the file, beside the database. It stays where it is when the database is moved aside, and does not begin as that one
 * does, so that who removes the database with all that belongs to it leaves the list.
 */
const fileName = 'known-stores';
/** So many are kept; nobody loses a store that often. */
const kept = 50;

/** The ids of all databases that were ever here, oldest first. */
export function readIds(database: string): string[] {
  try {
    const lines = readFileSync(fileFor(database), 'utf8').split('\n');
    return lines.filter((line) => /^[\w-]{8,64}$/.test(line));
  } catch {
    // Without the list nothing can be proved to be a former store's, which is what an empty one says.
    return [];
  }
}

/** Notes the id of the database that is here, for when that can no longer be read. Only for whoever may write to it. */
export function noteId(database: string, id: string): void {
  const ids = readIds(database);
  if (ids.at(-1) === id) return;
  const next = [...ids.filter((one) => one !== id), id].slice(-kept);
  try {
    replaceOwnFile(fileFor(database), `${next.join('\n')}\n`);
  } catch {
    // On a full disk, say. Whoever opens it next tries again; the database itself is not worse for it.
  }
}

function fileFor(database: string): string {
  return join(dirname(database), fileName);
}
