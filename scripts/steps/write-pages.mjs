import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Writes all pages of a folder, by their names, and removes those that are no more.
 * @param {string} folder
 * @param {ReadonlyMap<string, string>} pages
 */
export function writePages(folder, pages) {
  mkdirSync(folder, { recursive: true });
  const gone = readdirSync(folder).filter((name) => name.endsWith('.md') && !pages.has(name));
  for (const name of gone) rmSync(join(folder, name));
  for (const [name, text] of pages) writeFileSync(join(folder, name), text);
}
