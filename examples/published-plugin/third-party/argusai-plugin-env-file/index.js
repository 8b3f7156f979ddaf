// What a package of `npm create @argusai/plugin` comes down to when it is published, in one file.
import { constants, existsSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { defineErrorCode, definePlugin } from '@argusai/core';
import * as z from 'zod';

const settingsMissing = defineErrorCode({
  code: 'ENV_FILE_MISSING',
  category: 'system',
  severity: 'recoverable',
  summary: 'The settings file is missing',
  suggestedActions: ['env-file.copy-example'],
  details: () => z.object({ file: z.string(), example: z.string() }),
});

export default definePlugin({
  name: 'env-file',
  options: z.strictObject({
    file: z.string().default('.env').describe('The settings file that the project needs'),
    example: z.string().default('.env.example').describe('The file that it is made from'),
  }),
  apply({ hooks, project }, { file, example }) {
    const [target, source] = [join(project.dir, file), join(project.dir, example)];
    hooks.errorCodes.tap('env-file', (codes) => codes.add(settingsMissing));
    hooks.checkers.tap('env-file', (checkers) =>
      checkers.add({
        name: 'env-file.settings',
        codes: [settingsMissing],
        check({ pass, fail }) {
          if (existsSync(target)) return pass(`${file} is there`, { target: file });
          return fail(settingsMissing, {
            message: `${file} is missing`,
            target: file,
            details: { file, example },
          });
        },
      }),
    );
    hooks.recoverers.tap('env-file', (recoverers) =>
      recoverers.add({
        name: 'env-file.copy-example',
        handles: [settingsMissing],
        risk: 'safe',
        plan: () => [
          {
            target: `path:${file}`,
            action: 'create',
            description: `Copy ${example} to ${file}`,
            reversible: true,
          },
        ],
        // What is there meanwhile is never written over.
        async apply({ steps, signal }) {
          signal.throwIfAborted();
          if (steps.length > 0 && !existsSync(target))
            await copyFile(source, target, constants.COPYFILE_EXCL);
        },
      }),
    );
  },
});
