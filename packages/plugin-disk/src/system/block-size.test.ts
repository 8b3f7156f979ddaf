import { statfs } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../fixtures/temp-folder.js';
import { blockSize } from './block-size.js';

const fuse = 0x65735546n;
const { signal } = new AbortController();

describe('the block size', () => {
  it('is that of the transfers where the two are the same', async () => {
    expect(await blockSize({ type: 0xef53n, bsize: 4096n }, '/', signal)).toBe(4096n);
  });

  it('is the true one where Node tells it', async () => {
    expect(await blockSize({ type: fuse, bsize: 1_048_576n, frsize: 4096n }, '/', signal)).toBe(4096n);
  });

  it.runIf(process.platform === 'linux')('is asked of the system on a FUSE filesystem', async () => {
    const dir = await tempFolder();
    const { bsize } = await statfs(dir, { bigint: true });
    expect(await blockSize({ type: fuse, bsize: bsize * 256n }, dir, signal)).toBe(bsize);
  });

  it.runIf(process.platform === 'linux')('is not known when the system does not say either', async () => {
    expect(await blockSize({ type: fuse, bsize: 1_048_576n }, '/no/such/folder', signal)).toBeNull();
    expect(await blockSize({ type: fuse, bsize: 1_048_576n }, '/', AbortSignal.abort())).toBeNull();
  });
});
