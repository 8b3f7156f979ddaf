import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { property } from '../model/property.js';
import { manifestIn } from './manifest-in.js';
import { packageFolder, packageNameOf } from './package-folder.js';

/** A file that an installed package says it has, and does not. */
export interface MissingEntry {
  /** The real folder, which is elsewhere when the package is linked. */
  readonly folder: string;
  readonly file: string;
}

/** The file that should be loaded for a specifier, when its package is installed without it: most likely it was not built. */
export function missingEntry(specifier: string, dir: string): MissingEntry | undefined {
  const name = packageNameOf(specifier);
  const folder = packageFolder(name, dir);
  const manifest = folder === undefined ? undefined : manifestIn(folder);
  if (folder === undefined || manifest === undefined) return undefined;
  const file = entryOf(manifest, `.${specifier.slice(name.length)}`)?.replace(/^\.\//, '');
  if (file === undefined || existsSync(join(folder, file))) return undefined;
  return { folder: realpathSync(folder), file };
}

/** Which file a package.json names for `.` or a path below it. */
function entryOf(manifest: unknown, path: string): string | undefined {
  const exports = property(manifest, 'exports');
  if (exports !== undefined) {
    const hasPaths = Object.keys(Object(exports)).some((key) => key.startsWith('.'));
    if (hasPaths) return targetOf(property(exports, path));
    return path === '.' ? targetOf(exports) : undefined;
  }
  if (path !== '.') return path;
  const main = property(manifest, 'main');
  return typeof main === 'string' ? main : 'index.js';
}

/** The conditions under which Node, importing or requiring, would take a file. */
const conditions = new Set(['node', 'import', 'require', 'module-sync', 'default']);

function targetOf(exports: unknown): string | undefined {
  if (typeof exports === 'string') return exports;
  for (const [condition, target] of Object.entries(Object(exports))) {
    const file = conditions.has(condition) ? targetOf(target) : undefined;
    if (file !== undefined) return file;
  }
  return undefined;
}
