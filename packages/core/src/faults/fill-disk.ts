import { formatSize } from '../config/size.js';
import type { Fault } from './fault.js';
import { refused } from './own-service.js';

const blockSize = 1_000_000;

/** Fills the disk until there is less than the configured threshold. */
export const fillDisk: Fault = {
  name: 'fill-disk',
  summary:
    "Fills the disk or quota of the project's folder until less is free than preflight wants, in a file of its own",
  lasts: true,
  expect: 'DISK_SPACE_LOW',
  async inject({ project, config }, { size, signal }) {
    const { mkdtemp, open, rm, statfs } = await import('node:fs/promises');
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
    const folder = await mkdtemp(join(project.dir, '.argus-fault-'));
    const undo = () => rm(folder, { recursive: true, force: true });
    try {
      const file = await open(join(folder, 'filler'), 'w');
      try {
        const block = Buffer.alloc(blockSize, 'argus');
        for (let left = excess; left > 0 && !signal.aborted; left -= blockSize)
          await file.write(block.subarray(0, Math.min(left, blockSize)));
      } finally {
        await file.close();
      }
    } catch (thrown) {
      await undo();
      throw thrown;
    }
    const message = `${formatSize(excess)} were written to ${folder}`;
    return { target: `path:${folder}`, message, undo };
  },
};
