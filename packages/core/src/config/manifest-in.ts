import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What the package.json of a folder says; nothing where there is none, or none that Node could read either. */
export function manifestIn(folder: string): unknown {
  const file = join(folder, 'package.json');
  // Most folders have none, and to ask costs less than to be refused.
  if (!existsSync(file)) return undefined;
  try {
    return JSON.parse(readFileSync(file, 'utf8').replace(/^\uFEFF/, ''));
  } catch {
    // Whoever needs it says so; to look for a package means to look further.
    return undefined;
  }
}
