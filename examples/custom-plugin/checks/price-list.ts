// The shop reads generated/prices.json, which is made from prices.csv. After a pull it is easily forgotten to make it anew.
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { defineErrorCode, definePlugin } from '@argusai/core';
import * as z from 'zod';

const listStale = defineErrorCode({
  code: 'PRICE_LIST_STALE',
  category: 'system',
  severity: 'recoverable',
  summary: 'The price list is not the one of prices.csv',
  suggestedActions: ['prices.generate'],
  details: () => z.object({ file: z.string() }),
});

export default definePlugin({
  name: 'prices',
  options: z.strictObject({
    source: z.string().describe('What people edit'),
    target: z.string().describe('What is made from it'),
  }),
  apply({ hooks, project }, { source, target }) {
    const wanted = async () => {
      const lines = (await readFile(join(project.dir, source), 'utf8')).trim().split('\n');
      return `${JSON.stringify(Object.fromEntries(lines.map((line) => line.split(','))), null, 2)}\n`;
    };
    const found = async () => {
      const file = join(project.dir, target);
      // What is not there is made; what is there and cannot be read is for a person to look at.
      return existsSync(file) ? await readFile(file, 'utf8') : undefined;
    };

    hooks.errorCodes.tap('prices', (codes) => codes.add(listStale));

    // A checker looks, and never changes anything.
    hooks.checkers.tap('prices', (checkers) =>
      checkers.add({
        name: 'prices.list',
        codes: [listStale],
        async check({ pass, fail }) {
          const [want, have] = await Promise.all([wanted(), found()]);
          if (want === have) return pass(`${target} is the one of ${source}`, { target });
          const message =
            have === undefined ? `${target} is missing` : `${target} is not the one of ${source}`;
          return fail(listStale, { message, target, details: { file: target } });
        },
      }),
    );

    // A recoverer says exactly what it would do, and does exactly that. Doing it twice does no harm.
    hooks.recoverers.tap('prices', (recoverers) =>
      recoverers.add({
        name: 'prices.generate',
        handles: [listStale],
        risk: 'safe',
        plan: () => [
          {
            target: `path:${target}`,
            action: 'generate',
            description: `Make ${target} from ${source}`,
            reversible: true,
          },
        ],
        async apply({ steps, signal }) {
          signal.throwIfAborted();
          if (steps.length === 0) return;
          await mkdir(dirname(join(project.dir, target)), { recursive: true });
          await writeFile(join(project.dir, target), await wanted());
        },
      }),
    );
  },
});
