import { closeSync, existsSync, mkdirSync, openSync, readdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { userStateFolder } from '../model/user-state-folder.js';
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

function recordsIn(env: Env): string | undefined {
  const state = userStateFolder(env);
  return state === undefined ? undefined : join(state, 'trust');
}

/**
 * The file that says it: an empty one, whose name is the folder. So it is there at once or not at all, whoever else writes, and to look
 * for it takes one call. In hexadecimal digits, because not every file system tells capitals apart.
 */
function recordOf(folder: string, consent: Consent, env: Env): string | undefined {
  const records = recordsIn(env);
  const pieces =
    Buffer.from(folder)
      .toString('hex')
      .match(new RegExp(`.{1,${pieceLength}}`, 'g')) ?? [];
  return records === undefined ? undefined : `${join(records, ...pieces)}.${consent}`;
}

/** Whether it was said. What somebody else could have written there was not. */
export function isRecorded(folder: string, consent: Consent, env: Env): boolean {
  const file = recordOf(folder, consent, env);
  return file !== undefined && existsSync(file) && doubtAbout(file) === undefined;
}

/** Keeps that it was said. Gives false where it was already; where it cannot be kept that is thrown. */
export function record(folder: string, consent: Consent, env: Env): boolean {
  const file = recordOf(folder, consent, env);
  if (file === undefined) throw new Error('there is no folder for the state');
  if (existsSync(file)) return false;
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  // Never through a link: there must be nothing of this name.
  closeSync(openSync(file, 'wx', 0o600));
  return true;
}

/** Forgets all that was said about a folder. Gives false where that was nothing. */
export function forgetConsent(folder: string, env: Env): boolean {
  const files = (['typed', 'trusted'] as const).map((consent) => recordOf(folder, consent, env));
  const there = files.filter((file) => file !== undefined && existsSync(file));
  for (const file of there) rmSync(file ?? '');
  return there.length > 0;
}

/** All that was said, by folder. */
export function consentRecords(env: Env): ConsentRecord[] {
  const records = recordsIn(env);
  if (records === undefined || !existsSync(records)) return [];
  const names = readdirSync(records, { recursive: true, encoding: 'utf8' });
  const all = names.flatMap((name): ConsentRecord[] => {
    const [, digits = '', consent] = /^([\da-f/\\]+)\.(typed|trusted)$/.exec(name) ?? [];
    if (consent !== 'typed' && consent !== 'trusted') return [];
    const folder = Buffer.from(digits.replaceAll(/[/\\]/g, ''), 'hex').toString();
    return [{ folder, consent, since: Math.trunc(statSync(join(records, name)).mtimeMs) }];
  });
  return all.sort((one, other) => (one.folder < other.folder ? -1 : 1));
}
