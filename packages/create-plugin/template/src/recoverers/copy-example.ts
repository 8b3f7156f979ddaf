import { constants } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { defineRecoverer } from '@argusai/core';
import { settingsMissing } from '../error-codes.js';
import type { Options } from '../options.js';

/** Makes `__name__.copy-example`: makes the settings file from its example. */
export function exampleCopier({ file, example }: Options) {
  return defineRecoverer({
    name: '__name__.copy-example',
    description: 'Makes the settings file from its example',
    handles: [settingsMissing],
    risk: 'safe',
    // The same steps as long as nothing changes: no time and no chance in them. Planning changes nothing.
    plan: () => [
      {
        target: `path:${file}`,
        action: 'create',
        description: `Copy ${example} to ${file}`,
        reversible: true,
      },
    ],
    // The steps that were let through, which may be fewer than were planned, and nothing else.
    async apply({ steps, project, signal }) {
      for (const _step of steps) {
        signal.throwIfAborted();
        await copyNew(resolve(project.dir, example), resolve(project.dir, file));
      }
    },
  });
}

/** Copies a file, unless it is there by now: what is there is never written over. */
async function copyNew(from: string, to: string): Promise<void> {
  try {
    await copyFile(from, to, constants.COPYFILE_EXCL);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
}
