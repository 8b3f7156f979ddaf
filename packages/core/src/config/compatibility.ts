import { markedCore } from '../model/core-mark.js';
import { coreVersion, releaseLine } from '../model/core-version.js';
import { property } from '../model/property.js';
import { manifestAbove } from './manifest-above.js';
import type { Problem } from './problem.js';
import { isPath } from './resolve-module.js';

/** Where a package lies, such as `workspace:^`, `file:../core` or `you/core`, and the newest: they say nothing about versions. */
const isForPackageManagers = /[:/]|^latest$/;

/** What is wrong when the package that a file belongs to asks for another core than this one, by its peer dependency. */
export async function foreignRange(name: string, file: string): Promise<Omit<Problem, 'path'> | undefined> {
  const range = property(property(manifestAbove(file), 'peerDependencies'), '@argusai/core');
  if (range === undefined) return undefined;
  if (typeof range !== 'string') return noRange(name, range);
  const [{ default: validRange }, { default: satisfies }] = await Promise.all([
    import('semver/ranges/valid.js'),
    import('semver/functions/satisfies.js'),
  ]);
  if (validRange(range) === null) return isForPackageManagers.test(range) ? undefined : noRange(name, range);
  if (satisfies(coreVersion, range, { includePrerelease: true })) return undefined;
  return incompatible(name, `is made for @argusai/core ${range}`);
}

/** What is wrong when a plugin was made by another release of core than this one. */
export function foreignMark(name: string, plugin: object): Omit<Problem, 'path'> | undefined {
  const version = markedCore(plugin);
  if (version === undefined || releaseLine(version) === releaseLine(coreVersion)) return undefined;
  return incompatible(name, `was made by @argusai/core ${version}`);
}

/** What nobody can read may mean any version, also another than this one. */
function noRange(name: string, range: unknown): Omit<Problem, 'path'> {
  return {
    message:
      `plugin ${name} asks for @argusai/core ${JSON.stringify(range)} by its peer dependency, which is no range of versions, ` +
      `so it cannot be told whether it is made for ${coreVersion}, which this argus has; write a range such as "^${coreVersion}" there`,
    value: name,
    isIncompatible: true,
  };
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
