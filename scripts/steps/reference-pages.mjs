import { askArgus } from './ask-argus.mjs';
import { builtCore, builtKernel } from './built-kernel.mjs';
import { cliPage } from './cli-page.mjs';
import { configPage } from './config-page.mjs';
import { listedTools } from './listed-tools.mjs';
import { mcpPage } from './mcp-page.mjs';

/**
 * The pages about the configuration, the command line and the tools for agents, by file name.
 * @param {string} root
 * @param {string} project A project in which argus and its server can be asked.
 * @returns {Promise<Map<string, string>>}
 */
export async function referencePages(root, project) {
  const core = await builtCore(root);
  const { plugins } = await builtKernel(root);
  const schema = /** @type {import('./schema-types.mjs').Schema} */ (core.configJsonSchema(plugins));
  const overview = /** @type {import('./cli-page.mjs').Overview} */ (askArgus(root, project, ['help']));
  const others = Object.fromEntries(
    ['trust', 'mcp', 'completion'].map((name) => {
      const { help } = /** @type {{ help: string }} */ (askArgus(root, project, ['help', name]));
      return [name, help];
    }),
  );
  return new Map([
    ['configuration.md', configPage(schema)],
    ['cli.md', cliPage(overview, others)],
    ['mcp-tools.md', mcpPage(await listedTools(root, project))],
  ]);
}
