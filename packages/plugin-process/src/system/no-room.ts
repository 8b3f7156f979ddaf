import type { StatsFs } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ArgusError, diskSpaceLow, formatSize } from '@argusai/core';

/** What the system says when nothing more can be written: the disk is full, or this user's part of it. */
const fullDisk: readonly unknown[] = ['ENOSPC', 'EDQUOT'];

/** Says where there is no room when that is what was thrown; anything else stays as it is. */
export async function orNoRoom(
  thrown: unknown,
  { service, dir, required }: { readonly service: string; readonly dir: string; readonly required: number },
): Promise<unknown> {
  if (!(thrown instanceof Error) || !('code' in thrown) || !fullDisk.includes(thrown.code)) return thrown;
  const { bavail, blocks, bsize, files, ffree } = await diskOf(dir);
  const isOutOfInodes = files > 0 && ffree === 0;
  const figures = isOutOfInodes
    ? ({ available: 0, required: 1, unit: 'inodes', total: files } as const)
    : ({ available: bavail * bsize, required, unit: 'bytes', total: blocks * bsize } as const);
  const free = isOutOfInodes ? 'no inode' : formatSize(figures.available);
  return new ArgusError(diskSpaceLow, {
    message: `There is no room for the records of ${service} in ${dir}: ${free} free`,
    severity: 'fatal',
    details: { path: dir, ...figures },
    cause: thrown,
  });
}

/** The disk of a folder, which may not exist yet. */
async function diskOf(dir: string): Promise<StatsFs> {
  try {
    return await statfs(dir);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return diskOf(dirname(dir));
  }
}
