import type { PluginPlaces } from './find-plugin.js';
import { isPath, resolveModule } from './resolve-module.js';

/**
 * The file of a plugin. A path is relative to the file it is written in. A package is the project's if that has it, since it is the
 * project that is looked after; else the one beside the configuration, whose author installed it there.
 */
export async function locateModule(
  specifier: string,
  { dir, fileDir = dir }: PluginPlaces,
): Promise<string | undefined> {
  if (isPath(specifier) || fileDir === dir) return resolveModule(specifier, fileDir);
  return (await resolveModule(specifier, dir)) ?? (await resolveModule(specifier, fileDir));
}
