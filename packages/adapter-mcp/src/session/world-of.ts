import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Kernel, runsOf } from '@argusai/core';
import { filesIn } from './files-in.js';

/**
 * What the environment looks like, in a text that changes when somebody has changed something: the configuration, the files of the
 * project and of what is built, the runs. Circuits are no part of it: they tell how calls went.
 */
export async function worldOf({ origin, project, store, config }: Kernel): Promise<string> {
  const runs = (await runsOf(store, project.name)).map(({ id, state, services }) => ({
    id,
    state,
    services,
  }));
  const contexts = Object.values(config.services ?? {}).flatMap(({ build }) => {
    if (build === undefined) return [];
    return [resolve(project.dir, typeof build === 'string' ? build : build.context)];
  });
  const folders = [...new Set([project.dir, ...contexts])];
  return JSON.stringify([fileState(origin.file), runs, folders.map(filesIn)]);
}

/** When a file was written last, and how long it is. */
export function fileState(file: unknown): string {
  if (typeof file !== 'string') return '';
  const { mtimeMs = 0, size = 0 } = statSync(file, { throwIfNoEntry: false }) ?? {};
  return `${mtimeMs} ${size}`;
}
