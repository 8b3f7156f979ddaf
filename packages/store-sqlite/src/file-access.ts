import { accessSync, closeSync, constants, openSync, type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeOwnFolder } from '@argusai/core';

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
  makeOwnFolder(dirname(path));
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (thrown) {
    // Another process made it first, which is as good.
    if (identityOf(path) === undefined) throw thrown;
  }
}

/** Tells one file from another that later takes its name. Nothing for a file that does not exist. */
export function identityOf(path: string): string | undefined {
  const stats = statsOf(path);
  return stats && `${stats.dev}:${stats.ino}`;
}

/** Changes whenever the file does, for files that only others write. */
export function signatureOf(path: string): string {
  const stats = statsOf(path);
  return stats === undefined ? 'absent' : `${stats.dev}:${stats.ino}:${stats.size}:${stats.mtimeMs}`;
}

/** Changes with whatever is done to the file itself, also when something older is copied into it or over it. */
export function stampOf(path: string): string | undefined {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats && `${stats.dev}:${stats.ino}:${stats.size}:${stats.ctimeNs}`;
}

/** The size of a file, 0 for one that does not exist. */
export function sizeOf(path: string): number {
  return statsOf(path)?.size ?? 0;
}

/** What is in the way where the folder of a file should be, or a folder above it. */
export function inPlaceOfFolder(path: string): string | undefined {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    let stats: Stats | undefined;
    try {
      stats = statsOf(folder);
    } catch {
      // Where nobody may look, that is what is wrong, and what was thrown says so.
      return undefined;
    }
    if (stats) return stats.isDirectory() ? undefined : folder;
    if (dirname(folder) === folder) return undefined;
  }
}

function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (thrown) {
    // Below something that is no folder there is nothing.
    if (thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOTDIR') return undefined;
    throw thrown;
  }
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
