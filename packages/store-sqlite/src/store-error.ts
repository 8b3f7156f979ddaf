import { ArgusError, isArgusError, storeUnavailable } from '@argusai/core';

/** Why a store cannot be used, as `STORE_UNAVAILABLE` says it. */
export type Unavailability = 'read-only' | 'no-access' | 'busy' | 'newer-schema' | 'failed';

// By the beginning of a code of SQLite or of the operating system.
const reasons: readonly (readonly [string, Unavailability])[] = [
  ['SQLITE_BUSY', 'busy'],
  ['SQLITE_LOCKED', 'busy'],
  ['SQLITE_READONLY', 'read-only'],
  ['SQLITE_PERM', 'no-access'],
  ['SQLITE_AUTH', 'no-access'],
  ['EROFS', 'read-only'],
  ['EACCES', 'no-access'],
  ['EPERM', 'no-access'],
  ['ENOTDIR', 'no-access'],
  ['EEXIST', 'no-access'],
];

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
  const code = codeOf(thrown);
  const reason = reasons.find(([start]) => code.startsWith(start))?.[1] ?? 'failed';
  const why = thrown instanceof Error ? thrown.message : String(thrown);
  return unavailable(path, reason, `The state store ${path} ${what}: ${why}`, thrown);
}

/** Tells whether the file itself is broken, rather than out of reach. */
export function isDamage(thrown: unknown): boolean {
  const code = codeOf(thrown);
  return code.startsWith('SQLITE_CORRUPT') || code === 'SQLITE_NOTADB';
}

/** Tells whether someone else held the database for too long. */
export function isBusy(thrown: unknown): boolean {
  return codeOf(thrown).startsWith('SQLITE_BUSY');
}

/** Makes an error for damage that SQLite itself cannot see. */
export function damage(message: string, cause?: unknown): Error {
  return Object.assign(new Error(message, { cause }), { code: 'SQLITE_CORRUPT' });
}

function codeOf(thrown: unknown): string {
  const code = thrown instanceof Error && 'code' in thrown ? thrown.code : undefined;
  return typeof code === 'string' ? code : '';
}
