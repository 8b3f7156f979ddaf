import { join } from 'node:path';
import { checkPackages } from './check-packages.mjs';
import { runTool } from './command.mjs';
import { fingerprint } from './fingerprint.mjs';
import { isStamped, stamp } from './stamp.mjs';
import { treeFiles } from './tree-files.mjs';

/** @typedef {import('./failure.mjs').Failure} Failure */

const checks = [
  { name: 'types', what: 'types of the tests and scripts', tool: 'tsc', args: ['-p', 'tsconfig.tests.json'] },
  {
    name: 'lint',
    what: 'lint and format (npm run format repairs most of it)',
    tool: 'biome',
    args: ['check', '.'],
  },
  {
    name: 'unused',
    what: 'files, exports and dependencies that nobody uses, or that are not declared',
    tool: 'knip',
    args: ['--no-progress', '--no-config-hints'],
  },
  {
    name: 'api-docs',
    what: 'the API reference: exports without documentation, links that lead nowhere',
    tool: 'typedoc',
    args: ['--emit', 'none'],
  },
];

/**
 * Checks everything that is not a test of behaviour: types, lint, format, what is unused, what is not documented, and the packages as they would be
 * published. What has passed is not done again until a file changes.
 * @param {string} root
 * @returns {Promise<Failure[]>}
 */
export async function check(root) {
  const state = fingerprint(root, treeFiles(root), [process.version]);
  const results = await Promise.all([
    ...checks.map(async ({ name, what, tool, args }) => {
      const file = join(root, '.build', 'checks', name);
      if (isStamped(file, state)) return [];
      const { code, output } = await runTool(root, tool, args);
      if (code !== 0) return [{ what, output }];
      stamp(file, state);
      return [];
    }),
    checkPackages(root),
  ]);
  return results.flat();
}
