import { accessSync, constants, lstatSync, mkdtempSync, rmdirSync, type Stats, statfsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isArgusError, requireOwnFolder, type StructuredError, unsafeFolder } from '@argusai/core';
import { identityOf } from './file-access.js';
import { toStoreError, unavailable } from './store-error.js';

/** Why nothing can be stored in a database, if that shows from outside: it is neither opened nor made for it. */
export function whyUnusable(database: string): StructuredError | undefined {
  try {
    requireSafe(database);
    const isThere = identityOf(database) !== undefined;
    if (isThere) accessSync(database, constants.R_OK | constants.W_OK);
    // What is not there yet is made in the nearest folder that is.
    const folder = isThere ? dirname(database) : nearestThere(dirname(database));
    accessSync(folder, constants.W_OK | constants.X_OK);
    requireRoom(database, folder);
    if (!isThere && folder !== dirname(database)) requireFolders(folder);
    return undefined;
  } catch (thrown) {
    return toStoreError(database, thrown).error;
  }
}

/** Refuses a database that others could have put there, or lead elsewhere. */
export function requireSafe(database: string): void {
  let stats: Stats | undefined;
  try {
    requireOwnFolder(dirname(database));
    stats = lstatSync(database, { throwIfNoEntry: false });
  } catch (thrown) {
    // Where nobody may look, or below what is no folder: using it says which.
    if (isArgusError(thrown)) throw thrown;
  }
  if (stats?.isSymbolicLink()) throw unsafeFolder(database, 'is a link');
}

function nearestThere(folder: string): string {
  return identityOf(folder) === undefined && dirname(folder) !== folder
    ? nearestThere(dirname(folder))
    : folder;
}

/** What a filesystem keeps back for root is room for root. One without any blocks does not say how much it has. */
function requireRoom(database: string, folder: string): void {
  const { blocks, bavail, bfree } = statfsSync(folder);
  if (blocks === 0 || (process.getuid?.() === 0 ? bfree : bavail) > 0) return;
  throw unavailable(database, 'full', `The state store ${database} cannot be written: its disk is full`);
}

/** A filesystem of the kernel's own has no blocks and lets root write to its folders, but not make any: only trying tells. */
function requireFolders(folder: string): void {
  if (statfsSync(folder).blocks === 0) rmdirSync(mkdtempSync(join(folder, '.argus-')));
}
