import { relative } from 'node:path';

/** A file as it is shortest to read: from the current folder, or from the root. */
export function shortestPath(file: string, cwd: string): string {
  const path = relative(cwd, file);
  return path === '' || path.length > file.length ? file : path;
}
