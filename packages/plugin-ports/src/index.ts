import { definePlugin } from '@argusai/core';
import { conflictsChecker } from './checkers/conflicts.js';
import { portExhaustion } from './error-codes.js';
import { options } from './options.js';
import { releasePorts } from './resolve/release-ports.js';
import { resolvePorts } from './resolve/resolve-ports.js';

export { portConflict, portExhaustion } from './error-codes.js';

/** Looks after ports: says who holds those that are asked for, and gives every service one that it can have. */
export default definePlugin({
  name: 'ports',
  options,
  apply({ hooks, project, config, store, clock, runtimes }, { range }) {
    const strategy = config.resilience.network.portConflictStrategy;
    hooks.errorCodes.tap('ports', (codes) => codes.add(portExhaustion));
    hooks.checkers.tap('ports', (checkers) =>
      checkers.add(conflictsChecker({ project, config, store, runtimes, clock })),
    );
    hooks.resolveEnvironment.tapPromise('ports', (resolution, stage) =>
      resolvePorts(resolution, stage, { store, strategy, range }),
    );
    hooks.afterStop.tapPromise('ports', (run) => releasePorts(run, { store, clock }));
  },
});
