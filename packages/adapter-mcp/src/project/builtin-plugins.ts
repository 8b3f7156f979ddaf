import type { Plugin } from '@argusai/core';
import disk from '@argusai/plugin-disk';
import docker from '@argusai/plugin-docker';
import network from '@argusai/plugin-network';
import orphans from '@argusai/plugin-orphans';
import ports from '@argusai/plugin-ports';
import processes from '@argusai/plugin-process';

/** The versions of the packages that this program was bundled from, put in when it is built: no file may be read at the start. */
declare const ARGUS_PLUGIN_VERSIONS: Readonly<
  Record<'disk' | 'docker' | 'network' | 'orphans' | 'ports' | 'process', string>
>;

/**
 * The plugins that come along and run when the configuration names none. They are imported at once: in a program that is
 * one file this costs nothing, whereas a late import would keep the bundler from leaving out what nobody uses.
 */
export const builtinPlugins: Readonly<Record<string, () => Promise<Plugin>>> = {
  '@argusai/plugin-docker': async () => ({ ...docker, version: ARGUS_PLUGIN_VERSIONS.docker }),
  '@argusai/plugin-process': async () => ({ ...processes, version: ARGUS_PLUGIN_VERSIONS.process }),
  '@argusai/plugin-disk': async () => ({ ...disk, version: ARGUS_PLUGIN_VERSIONS.disk }),
  '@argusai/plugin-ports': async () => ({ ...ports, version: ARGUS_PLUGIN_VERSIONS.ports }),
  '@argusai/plugin-network': async () => ({ ...network, version: ARGUS_PLUGIN_VERSIONS.network }),
  '@argusai/plugin-orphans': async () => ({ ...orphans, version: ARGUS_PLUGIN_VERSIONS.orphans }),
};
