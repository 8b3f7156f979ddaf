import {
  closeSync,
  constants,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { ArgusError } from '../model/argus-error.js';
import { storeUnavailable } from '../model/core-error-codes.js';

// The only way in which argus writes what it keeps for itself: for its owner alone, into folders that nobody else may write, and
// never through a link. A repository can bring links along, and so can whoever shares a folder.

const { O_APPEND, O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = constants;
/** Windows has no such links that anybody may make. */
const noFollow = O_NOFOLLOW ?? 0;
const writableByOthers = 0o022;

/** Why a folder is no place for what argus keeps; nothing of one that is safe, or not there yet. */
export function whyUnsafe(folder: string, user = process.getuid?.()): string | undefined {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (found === undefined) return undefined;
  if (found.isSymbolicLink()) return 'is a link';
  if (user === undefined || !found.isDirectory()) return undefined;
  if (found.uid !== user && found.uid !== 0) return `belongs to the user ${found.uid}`;
  return (found.mode & writableByOthers) === 0 ? undefined : 'may be written by other users';
}

/** Refuses a folder that is no place for what argus keeps. */
export function requireOwnFolder(folder: string): void {
  const why = whyUnsafe(folder);
  if (why !== undefined) throw unsafeFolder(folder, why);
}

/** The error of a place that is not safe. */
export function unsafeFolder(store: string, why: string): ArgusError {
  const message = `${store} ${why}, so argus keeps nothing there`;
  // To look at the configuration does not help: it cannot be opened without a folder for the state either.
  const code = { ...storeUnavailable, suggestedActions: [] };
  return new ArgusError(code, { message, details: { store, reason: 'unsafe' } });
}

/** Makes a folder for its owner alone, unless it is there; one that is not safe is refused. */
export function makeOwnFolder(folder: string): void {
  makeFolders(folder);
  requireOwnFolder(folder);
}

/**
 * One folder after the other: Node's own recursion says "no such file" where it should say "read-only", and never ends where a
 * filesystem says so of a folder in one that is there, as /proc does.
 */
function makeFolders(folder: string): void {
  if (isFolder(folder)) return;
  if (!existsSync(dirname(folder))) makeFolders(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (thrown) {
    // Another process made it first, which is as good.
    if (!isFolder(folder)) throw thrown;
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    // Whatever the reason, making it says it.
    return false;
  }
}

/** Opens a file to be written from its beginning, in the place of whatever has its name. */
export function openFresh(path: string): number {
  requireOwnFolder(dirname(path));
  rmSync(path, { force: true });
  return openSync(path, O_WRONLY | O_CREAT | O_EXCL | noFollow, 0o600);
}

/** Opens a file to be written at its end. A link in its place is removed. */
export function openAtEnd(path: string): number {
  requireOwnFolder(dirname(path));
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) rmSync(path);
  return openSync(path, O_WRONLY | O_CREAT | O_APPEND | noFollow, 0o600);
}

/** Puts a text in the place of a file, all of it or nothing. */
export function replaceOwnFile(path: string, text: string): void {
  withDraft(path, text, (draft) => renameSync(draft, path));
}

/** Makes a file with a text, all of it or nothing. Gives false where something has its name already, which stays as it is. */
export function createOwnFile(path: string, text: string): boolean {
  return withDraft(path, text, (draft) => {
    try {
      linkSync(draft, path);
      return true;
    } catch (thrown) {
      if ((thrown as NodeJS.ErrnoException).code === 'EEXIST') return false;
      throw thrown;
    }
  });
}

function withDraft<Result>(path: string, text: string, use: (draft: string) => Result): Result {
  // Of its own, so that of two who write at once neither puts half of the other's text in place.
  const draft = `${path}.${process.pid}.new`;
  try {
    const file = openFresh(draft);
    try {
      writeFileSync(file, text);
    } finally {
      closeSync(file);
    }
    return use(draft);
  } finally {
    rmSync(draft, { force: true });
  }
}
