import { isArgusError } from '../model/argus-error.js';
import { folderUntrusted } from '../model/core-error-codes.js';
import { isErrorOf } from '../model/error-code.js';
import { nearest } from '../model/nearest.js';
import type { Plugin } from '../model/plugin.js';
import { property } from '../model/property.js';
import { requireTrustedCode } from '../trust/trusted.js';
import { foreignMark, foreignRange } from './compatibility.js';
import { defaultExport, importModule } from './import-module.js';
import { locateModule } from './locate-module.js';
import { missingEntry } from './missing-entry.js';
import type { Problem } from './problem.js';
import { reasonOf } from './reason.js';
import { isPath } from './resolve-module.js';
import { isPlugin } from './sections/plugins.js';

/** The plugins that come along, by package name. */
export type Builtins = Readonly<Record<string, () => Promise<Plugin>>>;

/** Where plugins are looked for. */
export interface PluginPlaces {
  /** The project's folder: its packages count, not ours. */
  readonly dir: string;
  /** The folder of the configuration file, if it is another one: paths are relative to it, packages are looked for there too. */
  readonly fileDir?: string;
  /** Says what is trusted beside what is one's own. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly builtins: Builtins;
}

/** A plugin and where it came from, or why there is none. */
export type FoundPlugin =
  | { readonly plugin: Plugin; readonly source: string; readonly file?: string }
  | { readonly problem: Omit<Problem, 'path'> };

/**
 * Finds a plugin by name or path: in the project if it is there, else the copy that came along. Throws only where others could have put
 * it there.
 */
export async function findPlugin(name: string, places: PluginPlaces): Promise<FoundPlugin> {
  try {
    const file = await locateModule(name, places);
    if (file !== undefined) return await loadFile(name, file, places);
    if (!Object.hasOwn(places.builtins, name)) return notFound(name, places);
    return await findBuiltin(name, places);
  } catch (error) {
    if (isArgusError(error) && isErrorOf(error.error, folderUntrusted)) throw error;
    return broken(name, error);
  }
}

/** The sources of plugins that come from no file. A package may be called so, which makes it none of them. */
const withoutFile = ['core', 'built-in', 'code'];

async function loadFile(name: string, file: string, { dir, env = {} }: PluginPlaces): Promise<FoundPlugin> {
  requireTrustedCode(file, { env, dir });
  // Asked first: what is made for another core may not even be there to be imported.
  const problem = await foreignRange(name, file);
  if (problem) return { problem };
  return pluginOf(name, { source: withoutFile.includes(name) ? file : name, file }, await importModule(file));
}

/** Loads a plugin that came along. Never throws. */
export async function findBuiltin(name: string, { builtins }: PluginPlaces): Promise<FoundPlugin> {
  try {
    return pluginOf(name, { source: 'built-in' }, { default: await builtins[name]?.() });
  } catch (error) {
    return broken(name, error);
  }
}

function pluginOf(
  name: string,
  origin: { readonly source: string; readonly file?: string },
  module: unknown,
): FoundPlugin {
  const plugin = [defaultExport(module), property(module, 'plugin')].find(isPlugin);
  const foreign = plugin && foreignMark(name, plugin);
  if (foreign) return { problem: foreign };
  if (plugin) return { plugin, ...origin };
  const message = `${name} exports no plugin, expected one as its default export or as "plugin"`;
  return { problem: { message, value: name } };
}

function broken(name: string, error: unknown): FoundPlugin {
  return { problem: { message: `plugin ${name} cannot be loaded: ${reasonOf(error)}`, value: name } };
}

function notFound(name: string, { dir, fileDir = dir, builtins }: PluginPlaces): FoundPlugin {
  if (isPath(name)) {
    const expected = 'the path of a file, relative to the folder of the configuration';
    return { problem: { message: `there is no file ${name} in ${fileDir}`, value: name, expected } };
  }
  const missing = missingEntry(name, dir) ?? missingEntry(name, fileDir);
  if (missing !== undefined) {
    const { folder, file } = missing;
    const message = `plugin ${name} is installed (${folder}), but its file ${file} is not there; build it, or install it again`;
    return { problem: { message, value: name } };
  }
  // The part of the names that they do not all share, or any package would be near to one of them.
  const short = (full: string) => full.replace(/^@argusai\/(plugin-)?/, '');
  const known = new Map(Object.keys(builtins).map((builtin) => [short(builtin), builtin]));
  const meant = known.get(nearest(short(name), known.keys()) ?? '');
  const install = `npm install ${name}`;
  const hint = meant === undefined ? '' : ` did you mean ${JSON.stringify(meant)}? Otherwise`;
  const where = fileDir === dir ? dir : `${dir} or ${fileDir}`;
  const message = `there is no plugin ${name} in ${where},${hint} install it with "${install}"`;
  return { problem: { message, value: name, suggestion: meant ?? install } };
}
