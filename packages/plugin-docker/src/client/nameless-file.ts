import { closeSync, constants, openSync, unlinkSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * A file that has a text and no name, opened to be read: whoever has it as its input can open that as a file once more, which
 * cannot be done with what Node calls a pipe, and nothing of it is left on a disk.
 */
export async function namelessFile(text: string): Promise<number> {
  const { randomUUID } = await import('node:crypto');
  const path = join(tmpdir(), `argus-${randomUUID()}`);
  const file = openSync(path, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL, 0o600);
  try {
    unlinkSync(path);
    // Written at a place, so that whoever reads on from where the file is begins at its beginning.
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at, bytes.length - at, at);
    return file;
  } catch (thrown) {
    closeSync(file);
    throw thrown;
  }
}
