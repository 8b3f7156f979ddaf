import { defineChecker, runRecordLost } from '@argusai/core';
import { checkRuntime } from '../check-runtime.js';
import { orphanDetected } from '../error-codes.js';
import type { OrphanParts } from '../orphan-parts.js';

/** Makes `orphans.docker`: no container, network or volume of a dead run is left. */
export function dockerChecker(parts: OrphanParts) {
  return defineChecker({
    name: 'orphans.docker',
    description: 'Containers, networks and volumes that dead runs of the project left behind',
    codes: [orphanDetected, runRecordLost],
    requires: ['docker.daemon'],
    check: (context) => checkRuntime(parts, 'docker', context),
  });
}
