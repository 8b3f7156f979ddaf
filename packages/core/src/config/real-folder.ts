import { realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

/** A folder with its links followed, so that it has one name whichever way leads to it, as the current folder has. */
export function realFolder(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    // Not there, or not to be seen: whoever is to use it tells so, by the name that it was given.
    return resolve(folder);
  }
}

/** A file in its folder with the links of that followed. A file that is a link itself belongs where the link lies. */
export function inRealFolder(file: string): string {
  return join(realFolder(dirname(file)), basename(file));
}

/** The folder of the project: the one that was named, else that of its configuration, else where the search began. */
export function projectFolder(
  { cwd, dir }: { readonly cwd: string; readonly dir?: string },
  file: string | null,
): string {
  return realFolder(resolve(cwd, dir ?? (file === null ? '.' : dirname(file))));
}
