import { createHash } from 'node:crypto';
import { lstatSync, readFileSync, rmSync, unlinkSync } from 'node:fs';
import { connect, type Server } from 'node:net';
import { join } from 'node:path';

/** A socket is for its owner only from its creation on: it is never there with other rights. */
const ownerOnly = 0o177;

/**
 * Listens at a path. Where a server that died has left its socket there, that is replaced: it is ours when it is the very file that a
 * server of this user has written down in `records`, and nobody answers at it. Everything else that is there stays.
 */
export async function listenAtSocket(server: Server, path: string, records: string): Promise<() => void> {
  const record = join(records, `mcp-socket-${createHash('sha256').update(path).digest('hex').slice(0, 16)}`);
  try {
    await bind(server, path);
  } catch (thrown) {
    const isTaken = (thrown as NodeJS.ErrnoException).code === 'EADDRINUSE';
    if (!isTaken || identityOf(path) !== recorded(record) || (await answers(path))) throw thrown;
    unlinkSync(path);
    await bind(server, path);
  }
  const { replaceOwnFile } = await import('../work.js');
  replaceOwnFile(record, identityOf(path) ?? '');
  return () => rmSync(record, { force: true });
}

function bind(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    const before = process.umask(ownerOnly);
    try {
      // The file is made before this returns.
      server.listen(path, () => {
        server.off('error', reject);
        resolve();
      });
    } finally {
      process.umask(before);
    }
  });
}

/** What tells this socket from any other that may lie at the path later; nothing where there is none of this user's. */
function identityOf(path: string): string | undefined {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found?.isSocket() || found.uid !== process.getuid?.()) return undefined;
  return JSON.stringify([path, found.dev, found.ino, found.ctimeMs]);
}

function recorded(record: string): string | null {
  try {
    return readFileSync(record, 'utf8');
  } catch {
    // Nobody has written one down: then nothing that is there is ours.
    return null;
  }
}

/** Whether somebody listens there. */
function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path, () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code !== 'ECONNREFUSED'));
  });
}
