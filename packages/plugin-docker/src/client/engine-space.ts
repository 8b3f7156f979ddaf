import { ArgusError, argumentList, diskSpaceLow, formatSize } from '@argusai/core';
import type { DockerClient } from './docker-client.js';

/** What is free where the engine keeps images and containers, in bytes. */
export interface EngineSpace {
  readonly path: string;
  readonly available: number;
  readonly total: number;
  /** How many more files there can be, and how many in all; none in all where the filesystem has no such limit. */
  readonly inodes: { readonly available: number; readonly total: number };
}

/** Of so many inodes one must be left, or there is no room for what a build makes. */
const onePerInodes = 100;

/** Looks at the disk of the engine; nothing when it is on another machine or does not say. */
export async function engineSpace(
  client: DockerClient,
  signal: AbortSignal,
): Promise<EngineSpace | undefined> {
  try {
    const args = argumentList(['info'], { format: '{{.DockerRootDir}}' });
    return await spaceAt((await client.run(args, { signal })).trim());
  } catch {
    // The engine's disk is not one of this machine, so there are no figures to be had.
    signal.throwIfAborted();
    return undefined;
  }
}

/** What is free in a folder of this machine. */
export async function spaceAt(path: string): Promise<EngineSpace> {
  const { statfs } = await import('node:fs/promises');
  const { bavail, blocks, bsize, ffree, files } = await statfs(path);
  const inodes = { available: ffree, total: files };
  return { path, available: bavail * bsize, total: blocks * bsize, inodes };
}

/** Whether there is less than is wanted: of bytes, or of room for more files. */
export function isShort(space: EngineSpace, required: number): boolean {
  return space.available < required || isShortOfInodes(space);
}

/** What is left of what there is too little of, which is that of which the smaller part is left: in words, and as details of the error. */
export function shortage(space: EngineSpace, required: number) {
  const { path, available, total, inodes } = space;
  if (isShortOfInodes(space) && inodes.available / inodes.total < available / total) {
    const wanted = Math.ceil(inodes.total / onePerInodes);
    return {
      figures: `${inodes.available} of ${inodes.total} inodes free in ${path}`,
      details: { ...inodes, required: wanted, unit: 'inodes' as const, path },
    };
  }
  return {
    figures: `${formatSize(available)} of ${formatSize(total)} free in ${path}`,
    details: { available, total, required, path },
  };
}

function isShortOfInodes({ inodes: { available, total } }: EngineSpace): boolean {
  return available * onePerInodes < total;
}

/** The error of an engine that has run out of space, with the figures as far as they can be had. */
export async function outOfSpace(
  client: DockerClient,
  { required, what, signal }: { required: number; what: string; signal: AbortSignal },
): Promise<ArgusError> {
  const space = await engineSpace(client, signal);
  const short = space && shortage(space, required);
  return new ArgusError(diskSpaceLow, {
    message: `${what} ran out of disk space${short ? `: ${short.figures}` : ''}`,
    severity: 'fatal',
    details: short?.details ?? { available: 0, required, path: await client.endpoint(signal) },
  });
}
