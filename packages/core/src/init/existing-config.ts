import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { configPlaces } from '../config/find-config.js';
import { property } from '../model/property.js';
import { e2eFiles } from './from-e2e.js';

/**
 * The configuration that a folder has already, whatever is in it, be it a link that leads nowhere. An `e2e.yaml` is none: what is
 * written from it comes before it.
 */
export function existingConfig(dir: string, manifest: unknown): string | undefined {
  return configPlaces
    .filter((place) => !e2eFiles.includes(place))
    .find((place) =>
      place === 'package.json'
        ? property(manifest, 'argus') !== undefined
        : lstatSync(join(dir, place), { throwIfNoEntry: false }) !== undefined,
    );
}
