import { ArgusError, isArgusError, storeUnavailable } from '@argusai/core';
import { inPlaceOfFolder } from './file-access.js';
import { foreignOwner } from './foreign-owner.js';

/** Why a store cannot be used, as `STORE_UNAVAILABLE` says it. */
export type Unavailability =
  | 'read-only'
  | 'no-access'
  | 'full'
  | 'busy'
  | 'newer-schema'
  | 'unsafe'
  | 'failed';

// The primary result codes of SQLite. Its extended codes, some of which libsql has no names for, end in the same byte.
const sqlite = {
  perm: 3,
  busy: 5,
  locked: 6,
  readonly: 8,
  corrupt: 11,
  full: 13,
  cantOpen: 14,
  auth: 23,
  notADatabase: 26,
};

const reasons = new Map<number | string | undefined, Unavailability>([
  [sqlite.busy, 'busy'],
  [sqlite.locked, 'busy'],
  [sqlite.readonly, 'read-only'],
  [sqlite.perm, 'no-access'],
  [sqlite.auth, 'no-access'],
  [sqlite.full, 'full'],
  ['ENOSPC', 'full'],
  ['EDQUOT', 'full'],
  ['EROFS', 'read-only'],
  ['EACCES', 'no-access'],
  ['EPERM', 'no-access'],
  ['ENOTDIR', 'no-access'],
  ['EEXIST', 'no-access'],
]);

/** Makes the error of a store that cannot be used. */
export function unavailable(
  path: string,
  reason: Unavailability,
  message: string,
  cause?: unknown,
): ArgusError {
  return new ArgusError(storeUnavailable, { message, details: { store: path, reason }, cause });
}

/** Gives whatever SQLite or the file system threw a code that programs can act on. */
export function toStoreError(path: string, thrown: unknown, what = 'cannot be used'): ArgusError {
  if (isArgusError(thrown)) return thrown;
  const reason = reasons.get(codeOf(thrown)) ?? 'failed';
  // The system says different things of it, depending on what was tried.
  const file = reason === 'no-access' ? inPlaceOfFolder(path) : undefined;
  const owner = reason === 'no-access' && file === undefined ? foreignOwner(path) : undefined;
  const said = thrown instanceof Error ? thrown.message : String(thrown);
  const why = file === undefined ? said : `${file} is a file and no folder`;
  const whose = owner === undefined ? '' : `; ${owner}`;
  return unavailable(path, reason, `The state store ${path} ${what}: ${why}${whose}`, thrown);
}

/** Tells whether the file itself is broken, rather than out of reach. */
export function isDamage(thrown: unknown): boolean {
  const code = codeOf(thrown);
  return code === sqlite.corrupt || code === sqlite.notADatabase;
}

/** Tells whether there was nothing to open. libsql gives that code in its message only. */
export function isMissing(thrown: unknown): boolean {
  const isTold = thrown instanceof Error && thrown.message.endsWith(`: ${sqlite.cantOpen}")`);
  return isTold || codeOf(thrown) === sqlite.cantOpen;
}

/** Tells whether someone else held the database for too long. */
export function isBusy(thrown: unknown): boolean {
  return codeOf(thrown) === sqlite.busy;
}

/** Makes an error for damage that SQLite itself does not see. */
export function damage(message: string, cause?: unknown): Error {
  return Object.assign(new Error(message, { cause }), { rawCode: sqlite.corrupt });
}

/** The primary code of SQLite, or that of the operating system. */
function codeOf(thrown: unknown): number | string | undefined {
  if (!(thrown instanceof Error)) return undefined;
  if ('rawCode' in thrown && typeof thrown.rawCode === 'number') return thrown.rawCode & 0xff;
  return 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : undefined;
}
