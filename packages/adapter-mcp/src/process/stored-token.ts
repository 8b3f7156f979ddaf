import { randomBytes } from 'node:crypto';
import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A token that whoever comes over HTTP must know. */
export interface Token {
  readonly token: string;
  readonly file: string;
  /** It was made just now, so nobody knows it yet. */
  readonly isNew: boolean;
}

const { O_NOFOLLOW, O_RDONLY } = constants;

/** The token that is kept in a folder of our own, for its owner only; made when there is none. Throws where what is there could be known to others. */
export async function storedToken(folder: string): Promise<Token> {
  const { createOwnFile } = await import('../work.js');
  const file = join(folder, 'mcp-token');
  const token = randomBytes(32).toString('base64url');
  // Who starts at the same moment may be first; then his is everybody's.
  const isNew = !lstatSync(file, { throwIfNoEntry: false }) && createOwnFile(file, `${token}\n`);
  return { token: isNew ? token : kept(file), file, isNew };
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
