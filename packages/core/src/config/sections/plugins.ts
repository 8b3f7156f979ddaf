import * as z from 'zod';
import type { Plugin } from '../../model/plugin.js';
import { text } from './text.js';

/** Tells whether something is a plugin. By its shape: it may have been made with another copy of core. */
export function isPlugin(value: unknown): value is Plugin {
  if (typeof value !== 'object' || value === null) return false;
  return (
    'name' in value && typeof value.name === 'string' && 'apply' in value && typeof value.apply === 'function'
  );
}

const specifier = text();
const plugin = z.custom<Plugin>(isPlugin, { error: 'expected a plugin' });
const options = z.record(z.string(), z.unknown());

/** One entry of `plugins`: what to load, alone or with its options. */
export const pluginEntrySchema = z.union(
  [specifier, z.tuple([specifier, options]), z.tuple([plugin, options]), plugin],
  { error: 'expected the name or path of a plugin, or a list of that and its options' },
);

/** One entry of `plugins`: what to load, alone or with its options. */
export type PluginEntry = z.output<typeof pluginEntrySchema>;

/** The `plugins` section. */
export const pluginsSchema = z
  .array(pluginEntrySchema)
  .optional()
  .describe(
    'Package names or paths, each alone or with its options. Left out: the plugins that come along, with their defaults.',
  );
