import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** What is made from the files of the tree, or is not ours. */
const made = new Set(['node_modules', 'dist', 'coverage', '.build', '.git', '.argus']);

/**
 * All files that a person has written, sorted.
 * @param {string} folder
 * @returns {string[]}
 */
export function treeFiles(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !made.has(name))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return treeFiles(path);
      return entry.isFile() ? [path] : [];
    })
    .sort();
}
