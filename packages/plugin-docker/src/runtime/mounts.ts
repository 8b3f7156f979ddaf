import { join, resolve } from 'node:path';
import { homeFolder, type Project, type RunIdentity, type ServiceSpec } from '@argusai/core';
import { volumeName } from './names.js';

/** The names of the volumes that services share by name, each once. */
export function namedVolumes(services: readonly ServiceSpec[]): string[] {
  const sources = services.flatMap(({ volumes }) => volumes.map((text) => text.split(':')));
  const names = sources.flatMap(([source = '', target]) => (target && !isPath(source) ? [source] : []));
  return [...new Set(names)];
}

/**
 * One entry of `volumes` as Docker takes it: a plain name is a volume of the run, a path is a folder or file of this
 * machine, seen from the folder of the project; a single path is a volume of the container alone.
 */
export function mountOf(text: string, run: RunIdentity, project: Project): string {
  const [source = '', target, ...rest] = text.split(':');
  if (target === undefined) return source;
  const from = isPath(source) ? pathOf(source, project) : volumeName(run, source);
  // Docker would read another folder, and another place for it, out of such a path.
  if (isPath(source) && from.replace(/^[a-z]:\\/i, '').includes(':'))
    throw new Error(`${from} cannot be mounted: there is a colon in its path`);
  return [from, target, ...rest].join(':');
}

function isPath(source: string): boolean {
  return source.includes('/') || source === '.' || source === '..' || source === '~';
}

function pathOf(source: string, project: Project): string {
  const isAtHome = source === '~' || source.startsWith('~/');
  if (!isAtHome) return resolve(project.dir, source);
  const home = homeFolder(process.env);
  if (home === undefined) throw new Error(`${source} cannot be mounted: this user has no home folder`);
  return join(home, source.slice(1));
}
