import { stat, statfs } from 'node:fs/promises';
import { blockSize } from './block-size.js';
import { mountPoint } from './mount-point.js';

/** How much of something a filesystem has, and how much of it this user may still use. */
export interface Amount {
  readonly total: number;
  readonly available: number;
}

/** What a filesystem says about itself. */
export interface Measurement {
  /** Tells filesystems apart. */
  readonly device: bigint;
  /** Where the filesystem begins. */
  readonly mount: string;
  /** Bytes, or null when the filesystem does not say. */
  readonly space: Amount | null;
  /** Inodes, or null when the filesystem has no fixed number of them. */
  readonly inodes: Amount | null;
}

/** Looks at the filesystem that a path is on. */
export async function measure(path: string, signal: AbortSignal): Promise<Measurement> {
  const device = stat(path, { bigint: true }).then(({ dev }) => dev);
  const [dev, stats, mount] = await Promise.all([
    device,
    statfs(path, { bigint: true }),
    mountPoint(path, device),
  ]);
  const unit = await blockSize(stats, path, signal);
  // `bavail` and not `bfree`: what is kept back for root is of no use to anyone else.
  const space = unit === null ? null : amount(stats.blocks * unit, stats.bavail * unit);
  return { device: dev, mount, space, inodes: amount(stats.files, stats.ffree) };
}

function amount(total: bigint, available: bigint): Amount | null {
  return total === 0n ? null : { total: Number(total), available: Number(available) };
}
