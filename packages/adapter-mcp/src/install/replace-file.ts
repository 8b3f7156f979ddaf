import { randomUUID } from 'node:crypto';
import {
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { ArgusError, hostFileUnwritable } from '@argusai/core';

/** The text of a file; nothing where there is none. */
export function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw unwritable(path, thrown);
  }
}

/** Puts a text in the place of a file, all of it or nothing. A link stays one, and whoever might read the file still may. */
export function replaceFile(path: string, text: string): void {
  let fresh: string | undefined;
  try {
    mkdirSync(dirname(path), { recursive: true });
    const target = realPath(path);
    const mode = statSync(target, { throwIfNoEntry: false })?.mode;
    fresh = `${target}.${randomUUID().slice(0, 8)}.new`;
    writeFileSync(fresh, text, { flag: 'wx', ...(mode === undefined ? {} : { mode: mode & 0o777 }) });
    renameSync(fresh, target);
  } catch (thrown) {
    if (fresh !== undefined) rmSync(fresh, { force: true });
    throw unwritable(path, thrown);
  }
}

/** Where a link leads; the path itself where nothing is there yet. A link that leads nowhere would be lost. */
function realPath(path: string): string {
  if (statSync(path, { throwIfNoEntry: false })) return realpathSync(path);
  if (lstatSync(path, { throwIfNoEntry: false })) throw new Error('it is a link that leads nowhere');
  return path;
}

function unwritable(file: string, thrown: unknown): ArgusError {
  const reason = thrown instanceof Error ? thrown.message : String(thrown);
  return new ArgusError(hostFileUnwritable, {
    message: `${file} could not be read or written: ${reason}. Add this yourself`,
    details: { file, reason },
  });
}
