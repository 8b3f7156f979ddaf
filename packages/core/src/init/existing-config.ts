import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { configPlaces } from '../config/find-config.js';
import { property } from '../model/property.js';

/** The configuration that a folder has already, whatever is in it. */
export function existingConfig(dir: string, manifest: unknown): string | undefined {
  return configPlaces.find((place) =>
    place === 'package.json' ? property(manifest, 'argus') !== undefined : existsSync(join(dir, place)),
  );
}
