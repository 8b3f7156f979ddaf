import { hostname } from 'node:os';
import { definePlugin, neededRuntimes, ownerLookup, ownIdentity } from '@argusai/core';
import { dockerChecker } from './checkers/docker.js';
import { processesChecker } from './checkers/processes.js';
import { orphanDetected } from './error-codes.js';
import { cleanForeign } from './operations/clean-foreign.js';
import { options } from './options.js';
import type { OrphanParts } from './orphan-parts.js';
import { prepareEnvironment } from './prepare-environment.js';
import { cleanRecoverer } from './recoverers/clean.js';

export { orphanDetected } from './error-codes.js';
export type { ForeignCleanup } from './operations/clean-foreign.js';
export type { OrphanResource } from './orphan-resource.js';
export type { OrphanCleanupResult } from './prepare-environment.js';

/** Finds and removes what dead runs left behind: containers, networks, volumes and processes. */
export default definePlugin({
  name: 'orphans',
  options,
  apply({ hooks, project, config, runtimes, store, clock, events }, { maxAge }) {
    const parts: OrphanParts = {
      hooks,
      project,
      runtimes,
      store,
      clock,
      events,
      needed: () => neededRuntimes({ runtimes, config, project, store }),
      lookUp: ownerLookup(hostname()),
      owner: ownIdentity,
      setupCleans:
        config.resilience.preflight.cleanOrphans &&
        Object.keys({ ...config.services, ...config.mocks }).length > 0,
      maxAgeMs: maxAge,
      stopTimeoutMs: config.environment.stopTimeout,
    };
    hooks.errorCodes.tap('orphans', (codes) => codes.add(orphanDetected));
    hooks.checkers.tap('orphans', (checkers) => {
      checkers.add(dockerChecker(parts));
      checkers.add(processesChecker(parts));
    });
    hooks.recoverers.tap('orphans', (recoverers) => recoverers.add(cleanRecoverer(parts)));
    hooks.operations.tap('orphans', (operations) => operations.add(cleanForeign(parts)));
    hooks.prepareEnvironment.tapPromise('orphans', (stage) => prepareEnvironment(parts, config, stage));
  },
});
