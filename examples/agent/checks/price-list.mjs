import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { defineErrorCode, definePlugin } from '@argusai/core';

const listMissing = defineErrorCode({
  code: 'PRICE_LIST_MISSING',
  category: 'system',
  severity: 'fatal',
  summary: 'The list of prices is missing',
  suggestedActions: ['prices.write'],
});

/** The list of prices is there; where it is not, it is made. */
export default definePlugin({
  name: 'prices',
  apply({ hooks, project }) {
    const file = join(project.dir, 'prices.json');
    hooks.errorCodes.tap('prices', (codes) => codes.add(listMissing));
    hooks.checkers.tap('prices', (checkers) =>
      checkers.add({
        name: 'prices.list',
        codes: [listMissing],
        check: ({ pass, fail }) =>
          existsSync(file)
            ? pass('prices.json is there')
            : fail(listMissing, { message: 'prices.json is missing' }),
      }),
    );
    hooks.recoverers.tap('prices', (recoverers) =>
      recoverers.add({
        name: 'prices.write',
        handles: [listMissing],
        risk: 'safe',
        plan: () => [
          {
            target: 'path:prices.json',
            action: 'create',
            description: 'Write prices.json',
            reversible: true,
          },
        ],
        apply: () => writeFile(file, '{ "tea": 3 }\n'),
      }),
    );
  },
});
