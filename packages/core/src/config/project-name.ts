import { basename } from 'node:path';
import { property } from '../model/property.js';
import { manifestIn } from './manifest-in.js';

/** What a project is called that does not say so: the name in package.json, or that of the folder. */
export function projectName(dir: string): string {
  const name = property(manifestIn(dir), 'name');
  return typeof name === 'string' && name !== '' ? name : basename(dir) || 'root';
}
