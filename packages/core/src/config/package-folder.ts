import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { property } from '../model/property.js';
import { manifestIn } from './manifest-in.js';

/** The name of the package that a specifier such as `@scope/name/file` begins with. */
export function packageNameOf(specifier: string): string {
  const [scopeOrName = '', rest] = specifier.split('/');
  return specifier.startsWith('@') ? `${scopeOrName}/${rest ?? ''}` : scopeOrName;
}

/**
 * Where a package is installed, in the folder or above it, or which folder of these it is itself; nothing when it is not there. Node
 * would also look in places that `NODE_PATH` and its own installation name; what lies there is not the project's.
 */
export function packageFolder(name: string, dir: string): string | undefined {
  for (let folder = resolve(dir); ; folder = dirname(folder)) {
    const installed = join(folder, 'node_modules', name);
    if (existsSync(installed)) return installed;
    if (property(manifestIn(folder), 'name') === name) return folder;
    if (folder === dirname(folder)) return undefined;
  }
}
