import type { Plugin } from '@argusai/core';
import disk from '@argusai/plugin-disk';
import docker from '@argusai/plugin-docker';
import network from '@argusai/plugin-network';
import orphans from '@argusai/plugin-orphans';
import ports from '@argusai/plugin-ports';
import processes from '@argusai/plugin-process';

/**
 * The plugins that come along and run when the configuration names none. They are imported at once: in a program that is
 * one file this costs nothing, whereas a late import would keep the bundler from leaving out what nobody uses.
 */
export const builtinPlugins: Readonly<Record<string, () => Promise<Plugin>>> = {
  '@argusai/plugin-docker': async () => docker,
  '@argusai/plugin-process': async () => processes,
  '@argusai/plugin-disk': async () => disk,
  '@argusai/plugin-ports': async () => ports,
  '@argusai/plugin-network': async () => network,
  '@argusai/plugin-orphans': async () => orphans,
};
