import { definePlugin } from '@argusai/core';
import { containersChecker } from './checkers/containers.js';
import { daemonChecker } from './checkers/daemon.js';
import { diskChecker } from './checkers/disk.js';
import { createDockerClient } from './client/create-docker-client.js';
import { dockerNeed } from './docker-need.js';
import { dockerErrorCodes } from './error-codes.js';
import { options } from './options.js';
import { pruneRecoverer } from './recoverers/prune.js';
import { restartContainerRecoverer } from './recoverers/restart-container.js';
import { createDockerRuntime } from './runtime/docker-runtime.js';

export { createDockerClient, type DockerClientParts } from './client/create-docker-client.js';
export type { CallOptions, DockerClient, ObjectType, OutputLine } from './client/docker-client.js';
export {
  type ContainerNetwork,
  type ContainerPlace,
  type RunTopology,
  runTopology,
} from './containers/run-topology.js';
export * from './error-codes.js';

/** Looks after Docker: the daemon, this project's containers and what they leave on the disk; and runs services in it. */
export default definePlugin({
  name: 'docker',
  options,
  apply(
    { hooks, config, project, circuits, store, clock, runtimes, events, redactor, env },
    { timeout: timeoutMs, reclaimable },
  ) {
    const { diskSpaceThreshold } = config.resilience.preflight;
    const client = createDockerClient({ circuits, clock, env, timeoutMs, diskSpaceThreshold });
    const need = () => dockerNeed({ config, project, store });
    const parts = { client, store, clock, config, timeoutMs, need, runtimes, events, redactor };
    hooks.errorCodes.tap('docker', (codes) => {
      for (const code of dockerErrorCodes) codes.add(code);
    });
    hooks.checkers.tap('docker', (checkers) => {
      checkers.add(daemonChecker(parts));
      checkers.add(containersChecker(parts));
      checkers.add(diskChecker(parts, reclaimable));
    });
    hooks.recoverers.tap('docker', (recoverers) => {
      recoverers.add(restartContainerRecoverer(parts));
      recoverers.add(pruneRecoverer(client, need));
    });
    hooks.runtimes.tap('docker', (all) =>
      all.add(createDockerRuntime({ client, clock, diskSpaceThreshold })),
    );
  },
});
