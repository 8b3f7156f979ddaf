import { jsonBlock, noteOf, page, section, table } from './markdown.mjs';
import { typeInWords } from './schema-types.mjs';

/** @typedef {import('./schema-types.mjs').Schema} Schema */

/**
 * A tool, as a server lists it.
 * @typedef {object} Tool
 * @property {string} name
 * @property {string} description
 * @property {Schema} inputSchema
 * @property {Record<string, boolean | string>} annotations
 */

/** @typedef {{ arguments: object, answer: unknown }} Example */
/** @typedef {{ uri: string, description: string }} Resource */
/** @typedef {{ name: string, description: string }} Prompt */

/**
 * What a server says of itself, and examples of its answers by tool.
 * @typedef {object} Listing
 * @property {Tool[]} tools
 * @property {Resource[]} resources
 * @property {Prompt[]} prompts
 * @property {Map<string, Example>} examples
 */

/**
 * The page about the tools for agents.
 * @param {Listing} listing
 */
export function mcpPage({ tools, resources, prompts, examples }) {
  return page(
    '# MCP tools',
    noteOf('what the server lists'),
    'Every tool of `argus mcp` with the plugins that come along. How a host is told of the server, what its answers look like and what it may do: ' +
      '[adapter-mcp](../../packages/adapter-mcp/README.md). Every tool but those about calls takes `projectPath`, ' +
      `${lowerFirst(descriptionOf(tools, 'projectPath'))} than the server’s own.`,
    table(
      ['tool', 'what it does', 'changes'],
      tools.map(({ name, description, annotations }) => [
        `[\`${name}\`](#${name})`,
        firstSentence(description),
        changesOf(annotations),
      ]),
    ),
    ...tools.flatMap((tool) => section(tool.name, aboutTool(tool, examples.get(tool.name)))),
    ...section(
      'Resources',
      table(
        ['address', 'what it is'],
        resources.map(({ uri, description }) => [`\`${uri}\``, description]),
      ),
    ),
    ...section(
      'Prompts',
      table(
        ['prompt', 'what it asks for'],
        prompts.map(({ name, description }) => [`\`${name}\``, description]),
      ),
    ),
  );
}

/**
 * @param {Tool} tool
 * @param {Example | undefined} example
 */
function aboutTool({ description, inputSchema, annotations }, example) {
  const hints = Object.entries(annotations)
    .filter(([key]) => key.endsWith('Hint'))
    .map(([key, value]) => `\`${key}: ${value}\``);
  const shown =
    example === undefined
      ? []
      : [`Asked with \`${JSON.stringify(example.arguments)}\` it answers:`, jsonBlock(example.answer)];
  return [
    description,
    table(['input', 'type', 'meaning'], inputRows(inputSchema)),
    hints.join(', '),
    ...shown,
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

/** @param {Schema} schema */
function inputRows({ properties = {}, required = [] }) {
  return Object.entries(properties)
    .filter(([key]) => key !== 'projectPath')
    .map(([key, one]) => {
      if (one.description === undefined) throw new Error(`${key} has no description in its schema`);
      const { default: fallback } = one;
      const remark = required.includes(key)
        ? ' (required)'
        : fallback === undefined || fallback === false
          ? ''
          : ` (default \`${typeof fallback === 'string' ? fallback : JSON.stringify(fallback)}\`)`;
      return [`\`${key}\``, typeInWords(one), `${one.description}${remark}`];
    });
}

/**
 * What a tool does; when to call it comes after that.
 * @param {string} description
 */
function firstSentence(description) {
  return description.replace(/\.( .*)?$/s, '');
}

/** @param {Tool['annotations']} annotations */
function changesOf({ readOnlyHint, destructiveHint }) {
  if (readOnlyHint) return 'nothing';
  return destructiveHint ? 'yes, and may remove for good' : 'yes';
}

/**
 * @param {readonly Tool[]} tools
 * @param {string} input
 */
function descriptionOf(tools, input) {
  const found = tools.flatMap(
    ({ inputSchema: { properties = {} } }) => properties[input]?.description ?? [],
  )[0];
  if (found === undefined) throw new Error(`No tool takes ${input}`);
  return found;
}

/** @param {string} text */
function lowerFirst(text) {
  return `${text.slice(0, 1).toLowerCase()}${text.slice(1)}`;
}
