import { accessSync, closeSync, constants, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** What may be done with a file that exists. `read` also when only its folder cannot be written. */
export function accessTo(path: string): 'write' | 'read' {
  // SQLite keeps its log beside the file, so both must be writable.
  if (permits(path, constants.R_OK | constants.W_OK) && permits(dirname(path), constants.W_OK))
    return 'write';
  accessSync(path, constants.R_OK);
  return 'read';
}

/** Makes sure that the file exists, readable for its owner only. */
export function makeFile(path: string): void {
  if (identityOf(path) !== undefined) return;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (thrown) {
    // Another process made it first, which is as good.
    if (identityOf(path) === undefined) throw thrown;
  }
}

/** Tells one file from another that later takes its name. Nothing for a file that does not exist. */
export function identityOf(path: string): string | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats && `${stats.dev}:${stats.ino}`;
}

/** Changes whenever the file does, for files that only others write. */
export function signatureOf(path: string): string {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats === undefined ? 'absent' : `${stats.dev}:${stats.ino}:${stats.size}:${stats.mtimeMs}`;
}

/** The size of a file, 0 for one that does not exist. */
export function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

function permits(path: string, mode: number): boolean {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    // Whatever the reason, the answer is no; using the file would say the same.
    return false;
  }
}
