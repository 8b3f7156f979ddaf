import type { BigIntStatsFs } from 'node:fs';
import { argumentList } from '@argusai/core';

const fuse = 0x65735546n;

/**
 * The unit in which a filesystem counts its blocks, or null when it cannot be told. Nearly everywhere that is
 * `bsize`. Filesystems of the FUSE kind, such as the folders that a container shares with a desktop, give the size of
 * a transfer there, up to 256 times too much; Node tells the true unit, `frsize`, only from version 26 on.
 */
export async function blockSize(
  stats: Pick<BigIntStatsFs, 'type' | 'bsize'> & { readonly frsize?: bigint },
  path: string,
  signal: AbortSignal,
): Promise<bigint | null> {
  if (stats.frsize !== undefined) return stats.frsize;
  if (process.platform !== 'linux' || stats.type !== fuse) return stats.bsize;
  return askStat(path, signal);
}

async function askStat(path: string, signal: AbortSignal): Promise<bigint | null> {
  const { execFile } = await import('node:child_process');
  return new Promise((resolve) => {
    execFile(
      'stat',
      argumentList(['-f', '-c', '%S'], {}, [path]),
      { signal, timeout: 2_000 },
      (error, output) => {
        const size = /^\d+$/.test(output.trim()) ? BigInt(output.trim()) : 0n;
        resolve(error === null && size > 0n ? size : null);
      },
    );
  });
}
