import {
  cleanupFailed,
  defineRecoverer,
  type RecoveryStep,
  type StepResult,
  structuredError,
} from '@argusai/core';
import { resourceOf, stepFor } from '../clean-step.js';
import { orphanDetected } from '../error-codes.js';
import { findOrphans } from '../find-orphans.js';
import type { OrphanParts } from '../orphan-parts.js';
import { type Cleanup, removeOrphans } from '../remove-orphans.js';

/** Makes `orphans.clean`: removes what dead runs left behind, and nothing else. */
export function cleanRecoverer(parts: OrphanParts) {
  return defineRecoverer({
    name: 'orphans.clean',
    description: 'Removes what dead runs of the project left behind',
    handles: [orphanDetected],
    // Nobody can be using what a dead run has, also not its volumes: they belong to the run.
    risk: 'safe',
    async plan({ findings, signal }) {
      const found = new Set(findings.map(({ check }) => check.target));
      const { orphans } = await findOrphans(parts, await parts.needed(), signal);
      return orphans.map(stepFor).filter(({ target }) => found.has(target));
    },
    async apply({ steps, signal, clock }) {
      const cleanup = await removeOrphans(parts, steps.map(resourceOf), signal);
      return steps.map((step) => resultOf(step, cleanup, clock.now()));
    },
  });
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
