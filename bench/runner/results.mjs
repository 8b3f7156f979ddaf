const begin = (/** @type {string} */ name) => `<!-- ${name} -->`;
const end = (/** @type {string} */ name) => `<!-- end of ${name} -->`;
const barRow = /^\| .+ \| .+ \| \*\*(?:holds|misses|unknown)\*\* \|$/;
const heading = /^## (.+)$/m;

const opening = `# What the benchmarks found

Written by \`npm run bench\`; \`npm run bench NAME\` measures one again and leaves the others as they are. Whoever is compared is
measured side by side, in turn. \`×\` is the ratio of the medians.`;

/**
 * The sections of a results file by the names of their benchmarks.
 * @param {string} text
 */
export function readSections(text) {
  const found = text.matchAll(/^<!-- ([\w-]+) -->\n([\s\S]*?)\n<!-- end of \1 -->$/gm);
  return new Map([...found].map(([, name = '', body = '']) => [name, body]));
}

/**
 * The results file with these sections, the bars of all of them first. Sections of other names are gone, and names without a
 * section are among the bars, or nobody would miss them.
 * @param {ReadonlyMap<string, string>} sections
 * @param {readonly string[]} names
 */
export function writeSections(sections, names) {
  const bars = names.flatMap((name) => {
    const body = sections.get(name);
    return body === undefined ? [`| ${name} | all of its bars | not measured | **unknown** |`] : barsOf(body);
  });
  const all = ['| table | bar | measured | |', '|---|---|---|---|', ...bars].join('\n');
  const bodies = names.flatMap((name) => {
    const body = sections.get(name);
    return body === undefined ? [] : [`${begin(name)}\n${body}\n${end(name)}`];
  });
  return `${[opening, all, ...bodies].join('\n\n')}\n`;
}

/**
 * The section of a benchmark that failed, instead of what it found before: old figures would pass for those of today.
 * @param {string} name
 * @param {{ reason: string, machine: string, before?: string | undefined }} failure
 */
export function failedSection(name, { reason, machine, before = '' }) {
  const title = heading.exec(before)?.[1] ?? name;
  return [
    `## ${title}`,
    '',
    `**Failed** ${machine}. There are no figures.`,
    '',
    '| bar | measured |  |',
    '| --- | --- | --- |',
    `| all of its bars | failed: ${reason.replaceAll('|', '\\|')} | **misses** |`,
  ].join('\n');
}

/**
 * The bars of a section, each with the table that it belongs to.
 * @param {string} body
 */
function barsOf(body) {
  const title = heading.exec(body)?.[1] ?? '';
  let table = title;
  return body.split('\n').flatMap((line) => {
    if (line.startsWith('### ')) table = `${title}: ${line.slice('### '.length)}`;
    return barRow.test(line) ? [`| ${table} ${line}`] : [];
  });
}
