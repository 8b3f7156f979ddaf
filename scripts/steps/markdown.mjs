// The few shapes that generated pages are made of.

/**
 * What every generated page says of itself.
 * @param {string} source
 */
export function noteOf(source) {
  return `<!-- Written by \`npm run docs\` from ${source}. Change it there. -->`;
}

/**
 * Puts the parts of a page together, an empty line between them. Parts that are empty are left out.
 * @param {readonly string[]} parts
 */
export function page(...parts) {
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

/**
 * A part with a heading, or nothing when there is nothing to say.
 * @param {string} title
 * @param {string} text
 * @param {number} [level]
 */
export function section(title, text, level = 2) {
  return text === '' ? [] : [`${'#'.repeat(level)} ${title}`, text];
}

/**
 * A table, or nothing when it has no rows.
 * @param {readonly string[]} heads
 * @param {readonly (readonly string[])[]} rows
 */
export function table(heads, rows) {
  if (rows.length === 0) return '';
  const cell = (/** @type {string} */ text) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
  const all = [heads, heads.map(() => '---'), ...rows.map((one) => one.map(cell))];
  return all.map((one) => `| ${one.join(' | ')} |`).join('\n');
}

/**
 * Data as people and programs read it.
 * @param {unknown} data
 */
export function jsonBlock(data) {
  return `\`\`\`json\n${JSON.stringify(data, null, 2)}\n\`\`\``;
}

/**
 * Lines to type or to look at.
 * @param {readonly string[]} lines
 */
export function textBlock(lines) {
  return lines.map((line) => `    ${line}`.trimEnd()).join('\n');
}
