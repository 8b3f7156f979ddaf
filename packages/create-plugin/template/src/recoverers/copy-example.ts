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
    async apply({ project, signal }) {
      signal.throwIfAborted();
      try {
        await copyFile(resolve(project.dir, example), resolve(project.dir, file), constants.COPYFILE_EXCL);
      } catch (error) {
        // It is there by now, and what is there is never written over.
        if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return;
        throw error;
      }
    },
  });
}
