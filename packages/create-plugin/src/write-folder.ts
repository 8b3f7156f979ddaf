import { lstatSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Refusal } from './refusal.js';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const ignore = () => undefined;

/**
 * Writes a folder that does not exist yet, whole or not at all: the files are written beside it and get their place
 * with one rename. A signal that comes meanwhile is too late: it takes milliseconds, and half a plugin helps nobody.
 */
export function writeFolder(folder: string, files: ReadonlyMap<string, string>): void {
  const parent = dirname(folder);
  let draft: string | undefined;
  for (const signal of signals) process.on(signal, ignore);
  try {
    refuseExisting(folder);
    draft = mkdtempSync(join(parent, '.argus-create-'));
    const whole = join(draft, 'plugin');
    for (const [path, text] of files) {
      mkdirSync(dirname(join(whole, path)), { recursive: true });
      writeFileSync(join(whole, path), text, { flag: 'wx' });
    }
    // Somebody else may have made it meanwhile; of an empty folder, the rename would not say so.
    refuseExisting(folder);
    renameSync(whole, folder);
  } catch (error) {
    throw error instanceof Refusal ? error : refusalOf(folder, error);
  } finally {
    if (draft !== undefined) rmSync(draft, { recursive: true, force: true });
    for (const signal of signals) process.off(signal, ignore);
  }
}

/** Also a file and a link that leads nowhere are in the way. */
function refuseExisting(folder: string): void {
  if (lstatSync(folder, { throwIfNoEntry: false }) === undefined) return;
  throw new Refusal(
    `${folder} is there already, and nothing is written over`,
    'Choose another name or another folder with --dir, or move away what is there.',
    1,
  );
}

function refusalOf(folder: string, error: unknown): Refusal {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const parent = dirname(folder);
  const told = (message: string, remedy: string) => new Refusal(message, remedy, 1, { cause: error });
  if (code === 'ENOENT' || code === 'ENOTDIR') {
    return told(`There is no folder ${parent}`, `Make it first, or name another with --dir.`);
  }
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') {
    return told(`${parent} may not be written by this user`, 'Name a folder of your own with --dir.');
  }
  const reason = error instanceof Error ? error.message : String(error);
  return told(
    `${folder} could not be written: ${reason}`,
    'Nothing was left behind; remove the reason and try again.',
  );
}
