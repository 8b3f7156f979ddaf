import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/**
 * Links the programs of our packages into the examples that use them: the package manager links those that are there when it
 * installs, and in a fresh clone these are built afterwards.
 * @param {string} root
 */
export function linkPrograms(root) {
  for (const example of foldersIn(join(root, 'examples'))) {
    const modules = join(example, 'node_modules');
    for (const folder of foldersIn(join(modules, '@argusai'))) {
      const { bin = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
      for (const [name, file] of Object.entries(bin)) link(join(folder, file), join(modules, '.bin', name));
    }
  }
}

/**
 * @param {string} program
 * @param {string} path
 */
function link(program, path) {
  if (existsSync(path) || !existsSync(program)) return;
  mkdirSync(dirname(path), { recursive: true });
  chmodSync(program, 0o755);
  symlinkSync(relative(dirname(path), program), path);
}

/** @param {string} folder */
function foldersIn(folder) {
  return existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
}
