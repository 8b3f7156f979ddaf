import { realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** Where a file lies, or would, when the links in its path are followed as far as anything is there. */
export function realPlace(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // Nothing is there, or nothing that can be read: whoever writes it is told so then.
    const folder = dirname(path);
    return folder === path ? path : join(realPlace(folder), basename(path));
  }
}
