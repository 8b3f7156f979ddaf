import type { Kernel } from '../kernel/kernel.js';
import { presentError } from '../kernel/present.js';
import { type StructuredError, structuredError } from '../model/error-code.js';
import { cleanupFailed } from '../model/run-error-codes.js';
import type { Resource, ResourceType } from './resource.js';
import type { RunRecord } from './run-record.js';

/** What may be left of a run: a resource, or what is only known from the record because nobody could look. */
export interface Remnant extends Omit<Resource, 'type'> {
  /** `service`: whatever there is of a service. `run`: what the run itself has, such as its network, or its record. */
  readonly type: ResourceType | 'service' | 'run';
}

/** Something that was not taken down, and why. */
export interface NotTakenDown {
  readonly resource: Remnant;
  readonly error: StructuredError;
}

/** What was not taken down and why, in one line. */
export function sayNotTakenDown({ resource: { type, name }, error }: NotTakenDown): string {
  const { reason } = error.details;
  return `${type} ${name}: ${typeof reason === 'string' ? reason : error.message}`;
}

/** What the record says of a run on a runtime that cannot be asked: its services there, and what they share. */
export function remnantsOf(kernel: Kernel, run: RunRecord, runtime: string, reason: string): NotTakenDown[] {
  const services = Object.entries(run.services).flatMap(([name, one]) =>
    one.runtime === runtime ? [name] : [],
  );
  return [
    ...services.map((service) =>
      remnant(kernel, run, { runtime, type: 'service', name: service, service }, reason),
    ),
    remnant(kernel, run, { runtime, type: 'run', name: `${run.id} on ${runtime}` }, reason),
  ];
}

/** The record of a run that could not be changed or removed. */
export function recordLeft(kernel: Kernel, run: RunRecord, reason: string): NotTakenDown {
  return remnant(kernel, run, { runtime: '', type: 'run', name: `the record of ${run.id}` }, reason);
}

function remnant(
  kernel: Kernel,
  { id, project, store, worktree, createdAt }: RunRecord,
  what: Pick<Remnant, 'runtime' | 'type' | 'name' | 'service'>,
  reason: string,
): NotTakenDown {
  const resource: Remnant = { ...what, id, project, runId: id, store, worktree, createdAt };
  const { type, name } = what;
  const occurrence = { message: `${type} ${name}: ${reason}`, details: { type, name, id, reason } };
  const error = structuredError(cleanupFailed, occurrence, kernel.clock.now());
  return { resource, error: presentError(kernel, error) };
}
