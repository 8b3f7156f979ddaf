import type { LoadedPlugin } from '../model/plugin.js';

/** What a user writes to name the plugin. */
export function specifierOf({ plugin, source }: LoadedPlugin): string {
  return source === 'built-in' ? `@argusai/plugin-${plugin.name}` : source;
}
