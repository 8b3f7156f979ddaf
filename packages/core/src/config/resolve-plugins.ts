import type { LoadedPlugin, Plugin } from '../model/plugin.js';
import { foreignMark } from './compatibility.js';
import { type FoundPlugin, findBuiltin, findPlugin, type PluginPlaces } from './find-plugin.js';
import { parsePluginOptions } from './plugin-options.js';
import type { Problem } from './problem.js';
import { type PluginEntry, pluginEntrySchema } from './sections/plugins.js';

export type { Builtins } from './find-plugin.js';

/** The plugins that are ready to be applied, and what is wrong with the others. */
export interface ResolvedPlugins {
  readonly plugins: LoadedPlugin[];
  readonly problems: Problem[];
}

/** What became of one entry. */
interface Attempt {
  readonly path: readonly PropertyKey[];
  readonly loaded?: LoadedPlugin;
  readonly problems: readonly Problem[];
}

/** Finds, loads and configures the plugins that a configuration names, or all that come along if it names none. */
export async function resolvePlugins(entries: unknown, places: PluginPlaces): Promise<ResolvedPlugins> {
  const attempts = await (entries === undefined
    ? Promise.all(Object.keys(places.builtins).map((name) => loadBuiltin(name, places)))
    : loadEntries(listOf(entries), places));
  return {
    plugins: attempts.flatMap(({ loaded, problems }) => (loaded && problems.length === 0 ? [loaded] : [])),
    problems: [...attempts.flatMap(({ problems }) => problems), ...twice(attempts)],
  };
}

/** What is not a list is a problem that validation tells. */
function listOf(entries: unknown): unknown[] {
  return Array.isArray(entries) ? entries : [];
}

/** One after the other: what one of them does to the process must not be taken for the work of another. */
async function loadEntries(entries: readonly unknown[], places: PluginPlaces): Promise<Attempt[]> {
  const attempts: Attempt[] = [];
  for (const [index, entry] of entries.entries())
    attempts.push(await loadEntry(entry, ['plugins', index], places));
  return attempts;
}

async function loadBuiltin(name: string, places: PluginPlaces): Promise<Attempt> {
  const path = ['plugins'];
  return configure(await findBuiltin(name, places), {}, path, path);
}

async function loadEntry(raw: unknown, path: readonly PropertyKey[], places: PluginPlaces): Promise<Attempt> {
  const parsed = pluginEntrySchema.safeParse(raw);
  // Validation tells what is wrong with such an entry.
  if (!parsed.success) return { path, problems: [] };
  const { named, options } = split(parsed.data);
  const found = typeof named === 'string' ? await findPlugin(named, places) : asCode(named);
  return configure(found, options, path, options === undefined ? path : [...path, 1]);
}

/** A plugin that the configuration itself has made. */
function asCode(plugin: Plugin): FoundPlugin {
  const problem = foreignMark(plugin.name, plugin);
  return problem ? { problem } : { plugin, source: 'code' };
}

function split(entry: PluginEntry): { named: string | Plugin; options?: unknown } {
  return Array.isArray(entry) ? { named: entry[0], options: entry[1] } : { named: entry };
}

function configure(
  found: FoundPlugin,
  given: unknown,
  path: readonly PropertyKey[],
  optionsPath: readonly PropertyKey[],
): Attempt {
  if ('problem' in found) return { path, problems: [{ path, ...found.problem }] };
  const { value, problems } = parsePluginOptions(found.plugin, given);
  const placed = problems.map((problem) => ({ ...problem, path: [...optionsPath, ...problem.path] }));
  return { path, loaded: { ...found, options: value }, problems: placed };
}

/** A plugin that is there already would register everything a second time. */
function twice(attempts: readonly Attempt[]): Problem[] {
  return attempts.flatMap(({ path, loaded }, index) => {
    const name = loaded?.plugin.name;
    const first = attempts.findIndex((other) => other.loaded?.plugin.name === name);
    if (name === undefined || first === index) return [];
    const source = attempts[first]?.loaded?.source;
    return [{ path, message: `plugin ${JSON.stringify(name)} is there already, from ${source}` }];
  });
}
