import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { ArgusError, isArgusError } from '../model/argus-error.js';
import { storeUnavailable } from '../model/core-error-codes.js';
import { requireUserStateFolder, userStateFolder } from '../model/user-state-folder.js';
import { makeOwnFolder, replaceOwnFile, requireOwnFolder, whyUnsafe } from '../state/own-files.js';
import { doubtAbout } from './doubt-about.js';

type Env = Readonly<Record<string, string | undefined>>;

/** What a person has said about a folder: a command of argus was typed there, or `argus trust` named it. */
export type Consent = 'typed' | 'trusted';

/** What is known of one folder. */
export interface ConsentRecord {
  readonly folder: string;
  readonly consent: Consent;
  /** In milliseconds since the epoch. */
  readonly since: number;
}

/** File systems have names of at most 255 bytes. */
const pieceLength = 200;

/** Where it is kept that something was said, and all folders from that of the state on that this lies in. */
interface Kept {
  readonly file: string;
  readonly folders: readonly string[];
}

/**
 * The file that says it. Its name is the folder, so it is there at once or not at all, whoever else writes, and to look for it takes one
 * call; it holds nothing but the names of the commands that plugins brought when something was typed there. In hexadecimal digits, because not every file system tells capitals apart.
 */
function recordOf(state: string, folder: string, consent: Consent): Kept {
  const digits = Buffer.from(folder).toString('hex');
  const pieces = ['trust', ...(digits.match(new RegExp(`.{1,${pieceLength}}`, 'g')) ?? [])];
  return {
    file: `${join(state, ...pieces)}.${consent}`,
    folders: pieces.map((_, index) => join(state, ...pieces.slice(0, index))),
  };
}

/** Whether it was said. What somebody else could have written there was not. */
export function isRecorded(folder: string, consent: Consent, env: Env): boolean {
  const state = userStateFolder(env);
  if (state === undefined) return false;
  const { file, folders } = recordOf(state, folder, consent);
  if (!existsSync(file) || doubtAbout(file) !== undefined) return false;
  return folders.every((one) => whyUnsafe(one) === undefined);
}

/** The commands that plugins of a project brought when a person last ran argus there. */
export function recordedCommands(folder: string, env: Env): string[] {
  if (!isRecorded(folder, 'typed', env)) return [];
  const { file } = recordOf(requireUserStateFolder(env), folder, 'typed');
  return readFileSync(file, 'utf8').split('\n').filter(Boolean);
}

/** Keeps that it was said. Gives false where it was already; where it cannot be kept that is thrown. */
export function recordConsent(
  folder: string,
  consent: Consent,
  env: Env,
  commands: readonly string[] = [],
): boolean {
  const { file, folders } = recordOf(requireUserStateFolder(env), folder, consent);
  try {
    for (const one of folders) makeOwnFolder(one);
    const before = statSync(file, { throwIfNoEntry: false });
    // Never through a link: there must be nothing of this name.
    if (!before) closeSync(openSync(file, 'wx', 0o600));
    const text = commands.join('\n');
    // Where no plugin brings a command there is nothing to read.
    if (text === (before?.size ? readFileSync(file, 'utf8') : '')) return !before;
    replaceOwnFile(file, text);
    // The time of the file says since when.
    if (before) utimesSync(file, before.atime, before.mtime);
    return !before;
  } catch (thrown) {
    throw isArgusError(thrown) ? thrown : unkept(dirname(file), thrown);
  }
}

/** Forgets all that was said about a folder. Gives false where that was nothing. */
export function forgetConsent(folder: string, env: Env): boolean {
  const records = recordsIn(env);
  if (records === undefined) return false;
  const files = (['typed', 'trusted'] as const).map((consent) => recordOf(dirname(records), folder, consent));
  const there = files.filter(({ file }) => existsSync(file));
  for (const { file } of there) rmSync(file);
  return there.length > 0;
}

/** Where all of it is kept; nothing where there is nothing yet. What others may write says nothing, so that is refused. */
function recordsIn(env: Env): string | undefined {
  const state = userStateFolder(env);
  if (state === undefined || !existsSync(join(state, 'trust'))) return undefined;
  for (const folder of [state, join(state, 'trust')]) requireOwnFolder(folder);
  return join(state, 'trust');
}

const reasons = new Map(
  Object.entries({ EACCES: 'no-access', EPERM: 'no-access', EROFS: 'read-only', ENOSPC: 'full' } as const),
);

function unkept(store: string, thrown: unknown): ArgusError {
  const { code = '', message } = thrown as NodeJS.ErrnoException;
  return new ArgusError(
    { ...storeUnavailable, suggestedActions: [] },
    {
      message: `Nothing can be kept in ${store}: ${message}`,
      details: { store, reason: reasons.get(code) ?? 'failed' },
      cause: thrown,
    },
  );
}

/** All that was said, by folder. */
export function consentRecords(env: Env): ConsentRecord[] {
  const records = recordsIn(env);
  if (records === undefined) return [];
  const names = readdirSync(records, { recursive: true, encoding: 'utf8' });
  const all = names.flatMap((name): ConsentRecord[] => {
    const [, digits = '', consent] = /^([\da-f/\\]+)\.(typed|trusted)$/.exec(name) ?? [];
    if (consent !== 'typed' && consent !== 'trusted') return [];
    const folder = Buffer.from(digits.replaceAll(/[/\\]/g, ''), 'hex').toString();
    return [{ folder, consent, since: Math.trunc(statSync(join(records, name)).mtimeMs) }];
  });
  return all.sort((one, other) => (one.folder < other.folder ? -1 : 1));
}
