import type { Plugin } from '@argusai/core';

/** The plugins that come along and run when the configuration names none, each loaded only when it is used. */
export const builtinPlugins: Readonly<Record<string, () => Promise<Plugin>>> = {
  '@argusai/plugin-disk': async () => (await import('@argusai/plugin-disk')).default,
};
