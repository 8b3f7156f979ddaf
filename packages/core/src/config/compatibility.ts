import { markedCore } from '../model/core-mark.js';
import { coreVersion, releaseLine } from '../model/core-version.js';
import { property } from '../model/property.js';
import { manifestAbove } from './manifest-above.js';
import type { Problem } from './problem.js';
import { isPath } from './resolve-module.js';

/** What is wrong when the package that a file belongs to asks for another core than this one, by its peer dependency. */
export async function foreignRange(name: string, file: string): Promise<Omit<Problem, 'path'> | undefined> {
  const range = property(property(manifestAbove(file), 'peerDependencies'), '@argusai/core');
  if (typeof range !== 'string') return undefined;
  const [{ default: validRange }, { default: satisfies }] = await Promise.all([
    import('semver/ranges/valid.js'),
    import('semver/functions/satisfies.js'),
  ]);
  // A range that only a package manager understands, such as `workspace:^`, says nothing about versions.
  if (validRange(range) === null || satisfies(coreVersion, range, { includePrerelease: true }))
    return undefined;
  return incompatible(name, `is made for @argusai/core ${range}`);
}

/** What is wrong when a plugin was made by another release of core than this one. */
export function foreignMark(name: string, plugin: object): Omit<Problem, 'path'> | undefined {
  const version = markedCore(plugin);
  if (version === undefined || releaseLine(version) === releaseLine(coreVersion)) return undefined;
  return incompatible(name, `was made by @argusai/core ${version}`);
}

function incompatible(name: string, what: string): Omit<Problem, 'path'> {
  const remedy = isPath(name)
    ? `install @argusai/core ${coreVersion} beside it`
    : 'install a version of it that is made for this one';
  return {
    message: `plugin ${name} ${what}, and this argus has ${coreVersion}; ${remedy}, or the argus that it is made for`,
    value: name,
    isIncompatible: true,
  };
}
