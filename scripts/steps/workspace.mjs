import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * A package of the workspace.
 * @typedef {object} WorkspacePackage
 * @property {string} name Its name on npm.
 * @property {string} folder Its absolute folder.
 * @property {string} path Its folder relative to the root, for people.
 * @property {Manifest} manifest Its package.json.
 * @property {string[]} needs The names of the workspace packages that it depends on.
 */

/**
 * What the scripts read of a package.json.
 * @typedef {object} Manifest
 * @property {string} name
 * @property {string} [version]
 * @property {string} [packageManager]
 * @property {Record<string, unknown>} [exports]
 * @property {Record<string, string>} [bin]
 * @property {Record<string, string>} [scripts]
 * @property {Record<string, string>} [dependencies]
 * @property {Record<string, string>} [devDependencies]
 * @property {Record<string, string>} [peerDependencies]
 */

/** The folder of this workspace. */
export const workspaceRoot = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/, '');

/**
 * Reads a package.json.
 * @param {string} folder
 * @returns {Manifest}
 */
export function readManifest(folder) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}

/**
 * The folders that have a package.json: those of `packages` and `examples`, and `bench`. Sorted.
 * @param {string} root
 * @returns {string[]}
 */
export function manifestFolders(root) {
  const children = ['packages', 'examples'].flatMap((parent) => {
    const folder = join(root, parent);
    return existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
  });
  return [...children, join(root, 'bench')]
    .filter((folder) => existsSync(join(folder, 'package.json')))
    .sort();
}

/**
 * The packages under `packages`, each after those that it depends on.
 * @param {string} root
 * @returns {WorkspacePackage[]}
 */
export function readPackages(root) {
  const folders = manifestFolders(root).filter((folder) => dirname(folder) === join(root, 'packages'));
  const found = folders.map((folder) => ({ folder, manifest: readManifest(folder) }));
  const names = new Set(found.map(({ manifest }) => manifest.name));
  const packages = found.map(({ folder, manifest }) => ({
    name: manifest.name,
    folder,
    path: relative(root, folder),
    manifest,
    needs: Object.keys({
      ...manifest.dependencies,
      ...manifest.devDependencies,
      ...manifest.peerDependencies,
    }).filter((name) => names.has(name)),
  }));
  return inOrder(packages);
}

/**
 * @param {WorkspacePackage[]} packages
 * @returns {WorkspacePackage[]}
 */
function inOrder(packages) {
  /** @type {WorkspacePackage[]} */
  const ordered = [];
  const placed = new Set();
  let waiting = packages;
  while (waiting.length > 0) {
    const ready = waiting.filter(({ needs }) => needs.every((name) => placed.has(name)));
    if (ready.length === 0) {
      throw new Error(`These packages depend on each other: ${waiting.map(({ name }) => name).join(', ')}`);
    }
    ordered.push(...ready);
    for (const { name } of ready) placed.add(name);
    waiting = waiting.filter(({ name }) => !placed.has(name));
  }
  return ordered;
}
