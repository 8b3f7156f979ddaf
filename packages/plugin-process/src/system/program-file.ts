import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** The programs that come with this package and run on their own. */
export type Program = 'keeper' | 'mock-server';

/**
 * The path of a program of this package. Built, also as a part of the command line's one file, it lies beside the
 * code; in the sources it has a folder of its own.
 */
export function programFile(program: Program): string {
  const built = join(import.meta.dirname, `${program}.js`);
  return existsSync(built) ? built : join(import.meta.dirname, '..', 'programs', `${program}.mjs`);
}
