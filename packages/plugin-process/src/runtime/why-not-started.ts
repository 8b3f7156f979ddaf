import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { KeeperState } from '../programs/keeper-state.mjs';

/** How much of a file tells what it is run by, in bytes: as much as Linux itself reads. */
const headBytes = 256;

/** Why a command could not be started. */
export interface NotStarted {
  /** The command itself is not there, so that another one has to be named. */
  readonly reason: 'command-missing' | 'failed';
  /** In words that say what to do. */
  readonly why: string;
}

/** What kept a command from being started in a folder. The system names the command also where only what runs it is missing. */
export function whyNotStarted(
  { code, message }: NonNullable<KeeperState['failure']>,
  dir: string,
): NotStarted {
  if (code === 'ENOENT' || code === 'ENOTDIR') {
    // The system says the same of a folder that is not there, and then names the command all the same.
    const missing = existsSync(dir) ? /^spawn (.+) ENO\w+$/.exec(message)?.[1] : undefined;
    if (missing === undefined) return { reason: 'command-missing', why: message };
    const file = resolve(dir, missing);
    if (!missing.includes('/') || !isFile(file))
      return { reason: 'command-missing', why: `there is no command ${missing}` };
    const interpreter = interpreterOf(file);
    // What is not to be seen at a terminal, such as a carriage return, may be just what is wrong.
    const named =
      interpreter && !existsSync(resolve(dir, interpreter)) && JSON.stringify(interpreter).slice(1, -1);
    const what = named
      ? `its interpreter ${named} is not`
      : 'what runs it is not: its interpreter or its loader';
    return { reason: 'failed', why: `${missing} is there, but ${what}` };
  }
  const refused = code === 'EACCES' ? /^spawn (.+) EACCES$/.exec(message)?.[1] : undefined;
  if (refused === undefined || !isFile(resolve(dir, refused))) return { reason: 'failed', why: message };
  const why = `${refused} may not be executed; chmod +x ${refused} makes a script or a program executable`;
  return { reason: 'failed', why };
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    // What cannot be looked at is none that anybody could run.
    return false;
  }
}

/** What the first line of a script says that it is run by. */
function interpreterOf(file: string): string | undefined {
  try {
    const head = Buffer.alloc(headBytes);
    const opened = openSync(file, 'r');
    try {
      return /^#![ \t]*([^ \t\n\0]+)/.exec(head.toString('latin1', 0, readSync(opened, head)))?.[1];
    } finally {
      closeSync(opened);
    }
  } catch {
    // Not to be read, so that nobody can say.
    return undefined;
  }
}
