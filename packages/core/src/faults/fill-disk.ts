import { formatSize } from '../config/size.js';
import type { Fault } from './fault.js';
import { refused } from './own-service.js';

const blockSize = 1_000_000;

/** Fills the disk until there is less than the configured threshold. */
export const fillDisk: Fault = {
  name: 'fill-disk',
  summary:
    "Fills the disk or quota of the project's folder until less is free than preflight wants, in a file that is gone with this command",
  lasts: true,
  expect: 'DISK_SPACE_LOW',
  async inject({ project, config }, { size, signal }) {
    const { open, statfs, unlink } = await import('node:fs/promises');
    const { randomUUID } = await import('node:crypto');
    const { join } = await import('node:path');
    const { diskSpaceThreshold: threshold } = config.resilience.preflight;
    const { bavail, bsize } = await statfs(project.dir);
    const excess = bavail * bsize - Math.floor(threshold / 2);
    if (excess <= 0)
      throw refused(`Less than half of ${formatSize(threshold)} is free in ${project.dir} already`);
    if (excess > size) {
      const message = `${formatSize(excess)} would have to be written, at most ${formatSize(size)} may be (--size)`;
      throw refused(message);
    }
    const path = join(project.dir, `.argus-fault-${randomUUID()}`);
    const file = await open(path, 'wx');
    try {
      // Without a name it takes its room for as long as this process has it open, and leaves nothing behind however that ends.
      await unlink(path);
      const block = Buffer.alloc(blockSize, 'argus');
      for (let left = excess; left > 0 && !signal.aborted; left -= blockSize)
        await file.write(block.subarray(0, Math.min(left, blockSize)));
    } catch (thrown) {
      await file.close();
      throw thrown;
    }
    const message = `${formatSize(excess)} were written to a file without a name in ${project.dir}`;
    return { target: `path:${project.dir}`, message, undo: () => file.close() };
  },
};
