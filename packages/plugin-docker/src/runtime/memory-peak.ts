import { readdir, readFile } from 'node:fs/promises';
import type { RunIdentity } from '@argusai/core';
import type { DockerClient } from '../client/docker-client.js';
import { inspectServices } from './inspect-services.js';

/** Where kernels count for each group of processes, in both of their ways. */
const counters = [
  { root: '/sys/fs/cgroup/memory', file: 'memory.max_usage_in_bytes' },
  { root: '/sys/fs/cgroup', file: 'memory.peak' },
];

/**
 * The most memory that a container has used since it was started, by the count of this machine's kernel, page cache included. The
 * engine itself tells only what is used now. Nothing of an engine elsewhere, in a virtual machine, or without root, nor on a kernel
 * that does not count it.
 */
export async function memoryPeak(
  client: DockerClient,
  run: RunIdentity,
  service: string,
  signal: AbortSignal,
): Promise<number | undefined> {
  const [state] = await inspectServices(client, run, [service], signal);
  if (state?.status !== 'running' || state.id === undefined) return undefined;
  return peakOf(state.id);
}

/** What is counted for a container. A folder with its id in its name is its own, whatever the engine has put it in. */
export async function peakOf(id: string, places = counters): Promise<number | undefined> {
  for (const { root, file } of places) {
    const parents = await readdir(root).catch(none);
    const paths = parents.flatMap((parent) => [
      `${root}/${parent}/${id}/${file}`,
      `${root}/${parent}/docker-${id}.scope/${file}`,
    ]);
    const counts = await Promise.all(paths.map((path) => readFile(path, 'utf8').catch(nothing)));
    const found = counts.map(Number).find((count) => count > 0);
    if (found !== undefined) return found;
  }
  return undefined;
}

// Where there is no such folder, nobody counts there.
const none = (): string[] => [];
const nothing = () => '';
