import { dirname } from 'node:path';
import { property } from '../model/property.js';
import { manifestIn } from './manifest-in.js';

/** The package.json of the package that a file belongs to. */
export function manifestAbove(file: string): unknown {
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder)) {
    const manifest = manifestIn(folder);
    // One without a name only says how Node should read the files below it.
    if (property(manifest, 'name') !== undefined) return manifest;
  }
  return undefined;
}
