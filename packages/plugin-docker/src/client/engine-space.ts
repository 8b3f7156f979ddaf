import { ArgusError, diskSpaceLow, formatSize } from '@argusai/core';
import type { DockerClient } from './docker-client.js';

/** What is free where the engine keeps images and containers, in bytes. */
export interface EngineSpace {
  readonly path: string;
  readonly available: number;
  readonly total: number;
}

/** Looks at the disk of the engine; nothing when it is on another machine or does not say. */
export async function engineSpace(
  client: DockerClient,
  signal: AbortSignal,
): Promise<EngineSpace | undefined> {
  try {
    const args = ['info', '--format', '{{.DockerRootDir}}'];
    const path = (await client.run(args, { signal })).trim();
    const { statfs } = await import('node:fs/promises');
    const { bavail, blocks, bsize } = await statfs(path);
    return { path, available: bavail * bsize, total: blocks * bsize };
  } catch {
    // The engine's disk is not one of this machine, so there are no figures to be had.
    signal.throwIfAborted();
    return undefined;
  }
}

/** The error of an engine that has run out of space, with the figures as far as they can be had. */
export async function outOfSpace(
  client: DockerClient,
  { required, what, signal }: { required: number; what: string; signal: AbortSignal },
): Promise<ArgusError> {
  const space = await engineSpace(client, signal);
  const figures = space ? `: ${formatSize(space.available)} free at ${space.path}` : '';
  return new ArgusError(diskSpaceLow, {
    message: `${what} ran out of disk space${figures}`,
    severity: 'fatal',
    details: space
      ? { available: space.available, required, path: space.path, total: space.total }
      : { available: 0, required, path: await client.endpoint(signal) },
  });
}
