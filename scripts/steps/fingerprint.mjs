import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join, relative } from 'node:path';

/**
 * A hash over the names and contents of files, and over other text that matters. A missing file counts as absent.
 * @param {string} root Names are taken relative to it, so that a moved checkout keeps its fingerprints.
 * @param {string[]} files
 * @param {string[]} [text]
 * @returns {string}
 */
export function fingerprint(root, files, text = []) {
  const hash = createHash('sha256');
  for (const file of [...files].sort()) {
    if (!existsSync(file)) continue;
    const content = readFileSync(file);
    hash.update(`${relative(root, file)}\0${content.length}\0`).update(content);
  }
  for (const part of text) hash.update(`\0${part}`);
  return hash.digest('hex');
}

/**
 * All files below a folder, sorted; none when there is no such folder.
 * @param {string} folder
 * @returns {string[]}
 */
export function filesBelow(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/**
 * A hash over the names, sizes and times of files: tells cheaply whether somebody touched what a build wrote. Hidden files
 * are left out: the compiler keeps its notes in one and rewrites it when nothing changed.
 * @param {string} folder
 * @returns {string}
 */
export function footprint(folder) {
  const lines = filesBelow(folder)
    .filter((file) => !basename(file).startsWith('.'))
    .map((file) => {
      const { size, mtimeMs } = statSync(file);
      return `${relative(folder, file)} ${size} ${mtimeMs}`;
    });
  return lines.length === 0 ? 'empty' : createHash('sha256').update(lines.join('\n')).digest('hex');
}
