import { askServer } from './ask-server.mjs';
import { plainAnswer } from './plain-answer.mjs';

/** @typedef {import('./mcp-page.mjs').Listing} Listing */

/** Calls whose answers are shown: one that finds something, one that plans, one that explains what cannot be done. */
const shown = [
  { tool: 'argus_preflight_check', arguments: { only: ['orders'] }, ok: true },
  { tool: 'argus_plan_recovery', arguments: { only: ['orders'] }, ok: true },
  { tool: 'argus_reset_circuit', arguments: { circuit: 'dokcer' }, ok: false },
];

/**
 * What the built server lists and answers in a project.
 * @param {string} root
 * @param {string} project
 * @returns {Promise<Listing>}
 */
export function listedTools(root, project) {
  return askServer(root, project, async (ask) => {
    const { tools } = /** @type {Pick<Listing, 'tools'>} */ (await ask('tools/list'));
    const { resources } = /** @type {Pick<Listing, 'resources'>} */ (await ask('resources/list'));
    const { resourceTemplates } =
      /** @type {{ resourceTemplates: { uriTemplate: string, description: string }[] }} */ (
        await ask('resources/templates/list')
      );
    const { prompts } = /** @type {Pick<Listing, 'prompts'>} */ (await ask('prompts/list'));
    /** @type {Listing['examples']} */
    const examples = new Map();
    for (const { tool, arguments: args, ok } of shown) {
      const result = await ask('tools/call', { name: tool, arguments: args });
      const { structuredContent } = /** @type {{ structuredContent: { ok: boolean } }} */ (result);
      if (structuredContent.ok !== ok)
        throw new Error(`${tool} did not answer as it should: ${JSON.stringify(structuredContent)}`);
      examples.set(tool, { arguments: args, answer: plainAnswer(structuredContent, project) });
    }
    const named = resourceTemplates.map(({ uriTemplate, description }) => ({
      uri: uriTemplate,
      description,
    }));
    return { tools, resources: [...resources, ...named], prompts, examples };
  });
}
