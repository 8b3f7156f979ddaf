import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { configPlaces } from '../config/find-config.js';
import type { Source } from './draft.js';
import { composeFiles } from './from-compose.js';
import { e2eFiles } from './from-e2e.js';

const overrides = composeFiles.map((name) => name.replace(/(?=\.ya?ml$)/, '.override'));

/** What else lies in the folder or above it, and does not count or no longer does. */
export function notesOnFolder(dir: string, found: readonly Source[]): string[] {
  const compose = found.find(({ kind }) => kind === 'compose')?.file;
  const above = configAbove(dir);
  return [
    ...e2eFiles
      .filter((name) => existsSync(join(dir, name)))
      .map((name) => `${name} is left as it is and no longer counts, because this file comes first`),
    ...(compose === undefined ? [] : besideCompose(dir, compose)),
    ...(above === undefined
      ? []
      : [`${above} no longer counts in this folder, because this file comes first`]),
  ];
}

function besideCompose(dir: string, compose: string): string[] {
  const isThere = (name: string) => existsSync(join(dir, name));
  return [
    ...[...composeFiles, ...overrides]
      .filter((name) => name !== compose && isThere(name))
      .map((name) => `${name} is not read, only ${compose} is`),
    ...(isThere('.env') ? ['.env is not read: variables have the defaults that are in the file'] : []),
  ];
}

/** The configuration that counts here so far: in a folder above, up to the root of the repository. */
function configAbove(dir: string): string | undefined {
  const found: string[] = [];
  for (let folder = dir; !existsSync(join(folder, '.git')); ) {
    if (folder === dirname(folder)) return undefined;
    folder = dirname(folder);
    const place = configPlaces.find((one) => one !== 'package.json' && existsSync(join(folder, one)));
    if (place !== undefined) found.push(join(folder, place));
  }
  return found[0];
}
