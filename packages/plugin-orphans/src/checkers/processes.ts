import { defineChecker, runRecordLost } from '@argusai/core';
import { checkRuntime } from '../check-runtime.js';
import { orphanDetected } from '../error-codes.js';
import { findLeftCommands } from '../left-command.js';
import type { OrphanParts } from '../orphan-parts.js';

/** Makes `orphans.processes`: no process of a dead run is left. */
export function processesChecker(parts: OrphanParts) {
  return defineChecker({
    name: 'orphans.processes',
    description: 'Processes that dead runs of the project, and commands that killed ones, left behind',
    codes: [orphanDetected, runRecordLost],
    check: async (context) => checkRuntime(parts, 'process', context, await findLeftCommands(parts)),
  });
}
