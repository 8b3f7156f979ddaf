const begin = (/** @type {string} */ name) => `<!-- ${name} -->`;
const end = (/** @type {string} */ name) => `<!-- end of ${name} -->`;
const barRow = /^\| .+ \| .+ \| \*\*(?:holds|misses|unknown)\*\* \|$/gm;

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
 * The results file with these sections, the bars of all of them first. Sections of other names are gone.
 * @param {ReadonlyMap<string, string>} sections
 * @param {readonly string[]} names
 */
export function writeSections(sections, names) {
  const kept = names.flatMap((name) => {
    const body = sections.get(name);
    return body === undefined ? [] : [{ name, body }];
  });
  const bars = kept.flatMap(({ body }) => body.match(barRow) ?? []);
  const all = ['| bar | measured | |', '|---|---|---|', ...bars].join('\n');
  const bodies = kept.map(({ name, body }) => `${begin(name)}\n${body}\n${end(name)}`);
  return `${[opening, all, ...bodies].join('\n\n')}\n`;
}
