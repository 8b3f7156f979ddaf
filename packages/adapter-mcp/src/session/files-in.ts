import { createHash } from 'node:crypto';
import { type Dirent, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** How many files and folders are looked at. Those near the top come first: what somebody edits to mend something mostly lies there. */
const maxEntries = 2_000;

/** Folders that are not written by hand. Hidden ones are not looked into either. */
const passedOver = new Set(['node_modules', '__pycache__', 'coverage']);

/** The files in a folder and below it, in a short text that is another one when one of them has changed. */
export function filesIn(folder: string): string {
  const hash = createHash('sha256');
  const folders = [folder];
  let left = maxEntries;
  for (let at = folders.shift(); at !== undefined && left > 0; at = folders.shift()) {
    for (const entry of entriesOf(at).slice(0, left)) {
      left -= 1;
      const path = join(at, entry.name);
      if (entry.isDirectory() && !isPassedOver(entry)) folders.push(path);
      if (entry.isFile() && !entry.name.endsWith('.log')) hash.update(`${path} ${stateOf(path)}\n`);
    }
  }
  return hash.digest('base64');
}

function isPassedOver({ name }: Dirent): boolean {
  return name.startsWith('.') || passedOver.has(name);
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).toSorted((one, other) =>
      one.name < other.name ? -1 : 1,
    );
  } catch {
    // Gone, or not for this user: nothing in it can be told to have changed.
    return [];
  }
}

function stateOf(file: string): string {
  const { mtimeMs = 0, size = 0 } = statSync(file, { throwIfNoEntry: false }) ?? {};
  return `${mtimeMs} ${size}`;
}
