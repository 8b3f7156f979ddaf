import { noteOf, page, section, table } from './markdown.mjs';
import { schemaRows } from './schema-rows.mjs';

/** @typedef {import('./schema-types.mjs').Schema} Schema */

const heads = ['key', 'type', 'default', 'meaning'];

/**
 * The page about the configuration: every section, and the options of the plugins that come along.
 * @param {Schema} schema What `argus schema` prints.
 */
export function configPage({ properties = {} }) {
  const sections = Object.entries(properties).filter(([key]) => key !== '$schema');
  return page(
    '# Configuration',
    noteOf('the schemas of the configuration'),
    'Every key that a configuration may have. Every section may be left out; an unknown key is an error. Where the file is found, how ports and ' +
      'variables are written and what `{{…}}` stands for: [ports and variables](../guides/ports-and-variables.md). `argus config` shows what is in ' +
      'use in a project and where each value comes from, `argus schema` prints the JSON Schema for editors.',
    'A **duration** is written `500ms`, `2s`, `1m30s` or `1h`, a bare number counts milliseconds. A **size** is written `2GB`, `512MiB` or `10G` (as in ' +
      'Docker, of 1024), a bare number counts bytes. `NAME` stands for a name of your own, `[]` for each entry of a list. Yes is `true`, no is `false`, a value is a text, a number, yes or no.',
    ...sections.flatMap(([key, one]) => aboutSection(key, one)),
    ...section('Options of the plugins', 'As in `plugins: [["@argusai/plugin-disk", { threshold: 5GB }]]`.'),
    ...pluginsOf(properties.plugins).flatMap(({ name, options }) => aboutPlugin(name, options)),
  );
}

/**
 * @param {string} key
 * @param {Schema} schema
 */
function aboutSection(key, schema) {
  // Which plugins there are has tables of its own, below; what a section is for stands above its table.
  const rows = key === 'plugins' ? [] : schemaRows({ properties: { [key]: schema } }).slice(1);
  return section(key, [schema.description ?? '', table(heads, rows)].filter(Boolean).join('\n\n'));
}

/**
 * @param {string} name
 * @param {Schema} options
 */
function aboutPlugin(name, options) {
  return section(name, table(heads, schemaRows(options)) || 'It has no options.', 3);
}

/**
 * @param {Schema | undefined} plugins
 * @returns {{ name: string, options: Schema }[]}
 */
function pluginsOf(plugins) {
  const entries = typeof plugins?.items === 'object' ? (plugins.items.anyOf ?? []) : [];
  return entries
    .flatMap(({ prefixItems: [name, options] = [] }) =>
      typeof name?.const === 'string' && options ? [{ name: name.const, options }] : [],
    )
    .sort((one, other) => (one.name < other.name ? -1 : 1));
}
