import { exampleDetails } from './example-details.mjs';
import { jsonBlock, noteOf, page, section, table, textBlock } from './markdown.mjs';

/** @typedef {import('./explained-codes.mjs').DocumentedCode} DocumentedCode */

const note = noteOf('the declaration of the code');

/**
 * The pages about error codes, by file name: one for each, and an index.
 * @param {readonly DocumentedCode[]} codes
 * @returns {Map<string, string>}
 */
export function errorPages(codes) {
  return new Map([
    ['README.md', index(codes)],
    ...codes.map((one) => /** @type {const} */ ([`${one.code.code}.md`, codePage(one)])),
  ]);
}

/** @param {readonly DocumentedCode[]} codes */
function index(codes) {
  const plugins = [...new Set(codes.map(({ explained }) => explained.plugin))];
  return page(
    '# Error codes',
    note,
    'Every problem that argus reports has one of these codes. `argus explain CODE` says the same in a terminal, also about the codes of ' +
      'your own plugins, and whether argus may act by itself in your project.',
    ...plugins.flatMap((plugin) => [
      `## ${plugin}`,
      table(
        ['code', 'severity', 'meaning'],
        codes
          .filter(({ explained }) => explained.plugin === plugin)
          .map(({ explained: { code, severity, summary } }) => [
            `[\`${code}\`](${code}.md)`,
            severity,
            summary,
          ]),
      ),
    ]),
  );
}

/** @param {DocumentedCode} documented */
function codePage({ code, explained, commands }) {
  const { summary, category, severity, plugin, causes, foundBy, details } = explained;
  const found = foundBy.length === 0 ? '' : foundBy.map((name) => `\`${name}\``).join(', ');
  return page(
    `# ${code.code}`,
    note,
    `${summary}.`,
    table(['category', 'severity', 'declared by', 'found by'], [[category, severity, plugin, found]]),
    ...section('What causes it', causes.map((cause) => `- ${cause}`).join('\n')),
    ...section('What argus does', doings(explained)),
    ...section('What you can do', remediesOf(explained)),
    ...section('What to type', textBlock(commands)),
    ...section(
      'Its details',
      table(
        ['field', 'type', 'always there', 'meaning'],
        details.map((field) => row(code.code, field)),
      ),
    ),
    ...section('Example', jsonBlock(example({ code, explained, commands }))),
    'All codes: [README.md](README.md).',
  );
}

/** @param {DocumentedCode['explained']} explained */
function doings({ handling, recoverers }) {
  const repairs = recoverers.map(({ name, description, risk, from }) => {
    const after = risk === 'safe' ? '' : ', once `policy.consecutiveFailures` checks in a row have found it';
    const what = description === undefined ? '' : ` ${description}.`;
    return `- \`${name}\` (${risk}):${what} By itself from autonomy \`${from}\` on${after}.`;
  });
  const parts = [
    ...(handling === undefined ? [] : [handling]),
    ...(repairs.length === 0 ? [] : [repairs.join('\n')]),
  ];
  return parts.length === 0
    ? 'It reports it; none of the plugins that come along repairs it.'
    : parts.join('\n\n');
}

/** @param {DocumentedCode['explained']} explained */
function remediesOf({ remedy, remedies = [] }) {
  const list = remedies.map((one) => `- \`${one.reason}\`: ${one.remedy}`);
  return [
    ...(remedy === undefined ? [] : [remedy]),
    ...(list.length === 0 ? [] : ['By the `reason` in the details:', list.join('\n')]),
  ].join('\n\n');
}

/**
 * @param {string} code
 * @param {DocumentedCode['explained']['details'][number]} field
 */
function row(code, { name, type, required, description }) {
  if (description === undefined)
    throw new Error(`${code}: ${name} has no description in the schema of the details`);
  return [`\`${name}\``, type, required ? 'yes' : 'no', description];
}

/** @param {DocumentedCode} documented */
function example({ code, explained }) {
  const { category, severity, summary, suggestedActions } = explained;
  return {
    code: code.code,
    category,
    severity,
    message: summary,
    details: exampleDetails(code, explained),
    suggestedActions: suggestedActions.map(({ name }) => name),
    timestamp: 1790000000000,
  };
}
