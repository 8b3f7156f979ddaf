import { statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packageFolder, packageNameOf } from './package-folder.js';

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
  if (packageFolder(packageNameOf(name), dir) === undefined) return undefined;
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
