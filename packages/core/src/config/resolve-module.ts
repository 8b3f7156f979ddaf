import { existsSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { property } from '../model/property.js';
import { manifestIn } from './manifest-in.js';

/** Tells whether a plugin is named by its path and not by the name of a package. */
export function isPath(specifier: string): boolean {
  return /^(\.{1,2}([/\\]|$)|[/\\]|[a-z]:[/\\]|file:)/i.test(specifier);
}

/** The file that a path or the name of a package stands for, seen from a folder; nothing if there is none. */
export async function resolveModule(specifier: string, dir: string): Promise<string | undefined> {
  if (!isPath(specifier)) return await resolvePackage(specifier, dir);
  const file = specifier.startsWith('file:') ? fileURLToPath(specifier) : resolve(dir, specifier);
  return statSync(file, { throwIfNoEntry: false })?.isFile() ? file : undefined;
}

async function resolvePackage(name: string, dir: string): Promise<string | undefined> {
  if (!isInProject(name, dir)) return undefined;
  const from = join(dir, 'package.json');
  try {
    return createRequire(from).resolve(name);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code !== 'ERR_PACKAGE_PATH_NOT_EXPORTED') return undefined;
    // It is there, but only for `import`, which Node resolves for nobody but the importing module.
    const { createJiti } = await import('jiti');
    const url = createJiti(from, { fsCache: false }).esmResolve(name, { try: true });
    return url === undefined ? undefined : fileURLToPath(url);
  }
}

/**
 * Whether a package is installed in the folder or above it, or is what the folder itself belongs to. Node would also look in
 * places that `NODE_PATH` and its own installation name; what lies there is not the project's.
 */
function isInProject(name: string, dir: string): boolean {
  const [scopeOrName = '', rest] = name.split('/');
  const packageName = name.startsWith('@') ? `${scopeOrName}/${rest ?? ''}` : scopeOrName;
  for (let folder = resolve(dir); ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'node_modules', packageName))) return true;
    if (property(manifestIn(folder), 'name') === packageName) return true;
    if (folder === dirname(folder)) return false;
  }
}
