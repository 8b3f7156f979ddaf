import type { Kernel } from '../kernel/kernel.js';
import { specifierOf } from './plugin-specifier.js';
import { isPlugin } from './sections/plugins.js';

/** The configuration as it is in use: with the name that the project goes by, and the plugins by their names. */
export function shownConfig({ config, project, plugins }: Pick<Kernel, 'config' | 'project' | 'plugins'>) {
  const loaded = plugins.filter(({ source }) => source === 'built-in').map(specifierOf);
  const { project: given, plugins: entries, ...rest } = config;
  return { project: { ...given, name: project.name }, plugins: entries?.map(named) ?? loaded, ...rest };
}

/** A plugin that is given as an object is code, of which only the name can be shown. */
function named(entry: unknown): unknown {
  if (Array.isArray(entry)) return entry.map(named);
  return isPlugin(entry) ? entry.name : entry;
}
