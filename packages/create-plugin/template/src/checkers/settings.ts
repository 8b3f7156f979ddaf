import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { defineChecker } from '@argusai/core';
import { settingsMissing } from '../error-codes.js';
import type { Options } from '../options.js';

/** Makes `__name__.settings`: the settings file is there. A checker looks and never changes anything. */
export function settingsChecker({ file, example }: Options) {
  return defineChecker({
    name: '__name__.settings',
    description: 'The settings file of the project is there',
    codes: [settingsMissing],
    async check({ pass, fail, skip, project }) {
      if (await isThere(resolve(project.dir, file))) return pass(`${file} is there`, { target: file });
      if (!(await isThere(resolve(project.dir, example)))) return skip(`The project has no ${example}`);
      return fail(settingsMissing, {
        message: `${file} is missing; ${example} shows what belongs into it`,
        target: file,
        details: { file, example },
      });
    },
  });
}

/** Whether a file is there. What cannot be looked at is no answer: the throw makes the check `unknown`. */
async function isThere(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false;
    throw error;
  }
}
