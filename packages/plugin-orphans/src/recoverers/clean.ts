import {
  cleanupFailed,
  defineRecoverer,
  type Finding,
  isErrorOf,
  portConflict,
  type RecoveryStep,
  type StepResult,
  structuredError,
} from '@argusai/core';
import { resourceOf, stepFor } from '../clean-step.js';
import { orphanDetected } from '../error-codes.js';
import { findOrphans } from '../find-orphans.js';
import { findLeftCommands } from '../left-command.js';
import type { OrphanParts } from '../orphan-parts.js';
import { type Cleanup, removeOrphans } from '../remove-orphans.js';

/** Makes `orphans.clean`: removes what dead runs left behind, and nothing else. */
export function cleanRecoverer(parts: OrphanParts) {
  return defineRecoverer({
    name: 'orphans.clean',
    description: 'Removes what dead runs of the project left behind',
    // Of ports only those that an orphan holds; there is no step for the others.
    handles: [orphanDetected, portConflict],
    // Nobody can be using what a dead run has, also not its volumes: they belong to the run.
    risk: 'safe',
    async plan({ findings, signal }) {
      const { orphans } = await findOrphans(parts, await parts.needed(), signal);
      return [...(await findLeftCommands(parts)), ...orphans].map(stepFor).flatMap((step) => {
        const resolves = findings.filter(isAbout(step.target)).flatMap(({ check }) => check.target ?? []);
        return resolves.length === 0 ? [] : [{ ...step, resolves }];
      });
    },
    async apply({ steps, signal, clock }) {
      const cleanup = await removeOrphans(parts, steps.map(resourceOf), signal);
      return steps.map((step) => resultOf(step, cleanup, clock.now()));
    },
  });
}

/** Whether a finding is the orphan itself, or a port that it holds. */
function isAbout(orphan: string) {
  return ({ check, error }: Finding) =>
    isErrorOf(error, portConflict) ? error.details.orphan === orphan : check.target === orphan;
}

function resultOf(step: RecoveryStep, { failed, spared }: Cleanup, now: number): StepResult {
  const { type, id, name } = resourceOf(step);
  const { target } = step;
  const isIt = ({ resource }: { resource: { type: string; id: string } }) =>
    resource.type === type && resource.id === id;
  const error = failed.find(isIt)?.error;
  if (error) return { target, applied: false, error };
  const reason = spared.find(isIt)?.reason;
  if (reason === undefined) return { target, applied: true };
  const message = `The ${type} ${name} was left alone: ${reason}`;
  const occurrence = { message, details: { type, name, id, reason } };
  return { target, applied: false, error: structuredError(cleanupFailed, occurrence, now) };
}
