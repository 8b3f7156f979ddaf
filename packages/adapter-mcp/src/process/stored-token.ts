import { randomBytes } from 'node:crypto';
import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A token that whoever comes over HTTP must know. */
export interface Token {
  readonly token: string;
  readonly file: string;
  /** It was made just now, so nobody knows it yet. */
  readonly isNew: boolean;
}

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_RDONLY, O_WRONLY } = constants;

/** The token that is kept in a folder of our own, for its owner only; made when there is none. Throws where what is there could be known to others. */
export function storedToken(folder: string): Token {
  const file = join(folder, 'mcp-token');
  const made = newToken(file);
  return made === undefined ? { token: kept(file), file, isNew: false } : { token: made, file, isNew: true };
}

/** A new token, written where there was no file; nothing where there is one. */
function newToken(file: string): string | undefined {
  const token = randomBytes(32).toString('base64url');
  let fd: number;
  try {
    fd = openSync(file, O_CREAT | O_EXCL | O_NOFOLLOW | O_WRONLY, 0o600);
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'EEXIST') return undefined;
    throw thrown;
  }
  try {
    writeFileSync(fd, `${token}\n`);
  } finally {
    closeSync(fd);
  }
  return token;
}

function kept(file: string): string {
  if (lstatSync(file).isSymbolicLink())
    throw new Error(`${file} is a link; remove it, and a new token is made`);
  const fd = openSync(file, O_RDONLY | O_NOFOLLOW);
  try {
    const { uid, mode } = fstatSync(fd);
    if (uid !== process.getuid?.() || (mode & 0o077) !== 0) {
      throw new Error(`${file} can be read or written by others; remove it, and a new token is made`);
    }
    const token = readFileSync(fd, 'utf8').trim();
    if (!/^[\w-]{43}$/.test(token))
      throw new Error(`${file} holds no token; remove it, and a new one is made`);
    return token;
  } finally {
    closeSync(fd);
  }
}
