import type { Plugin } from '@argusai/core';
import disk from '@argusai/plugin-disk';

/**
 * The plugins that come along and run when the configuration names none. They are imported at once: in a program that is
 * one file this costs nothing, whereas a late import would keep the bundler from leaving out what nobody uses.
 */
export const builtinPlugins: Readonly<Record<string, () => Promise<Plugin>>> = {
  '@argusai/plugin-disk': async () => disk,
};
