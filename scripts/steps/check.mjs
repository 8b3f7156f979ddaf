import { runTool } from './command.mjs';

/**
 * Checks types, lint and format of everything that is not a test of behaviour.
 * @param {string} root
 * @returns {Promise<import('./failure.mjs').Failure[]>}
 */
export async function check(root) {
  const checks = [
    { what: 'types of the tests and scripts', tool: 'tsc', args: ['-p', 'tsconfig.tests.json'] },
    { what: 'lint and format (npm run format repairs most of it)', tool: 'biome', args: ['check', '.'] },
  ];
  const results = await Promise.all(
    checks.map(async ({ what, tool, args }) => ({ what, ...(await runTool(root, tool, args)) })),
  );
  return results.filter(({ code }) => code !== 0);
}
