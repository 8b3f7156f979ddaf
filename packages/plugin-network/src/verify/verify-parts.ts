import type { PluginContext } from '@argusai/core';
import type { DockerClient } from '@argusai/plugin-docker';
import type { NetworkOptions } from '../options.js';

/** What looking around in an environment takes. */
export interface VerifyParts extends Pick<PluginContext, 'runtimes' | 'config'> {
  /** Made when it is first needed: a project of processes has no use for it. */
  readonly client: () => DockerClient;
  readonly verify: NetworkOptions['verify'];
  /** The containers that were connected again and of which nobody has been told yet, by their ids. */
  readonly reconnected: Set<string>;
}
