import type { Kernel } from '../../kernel/kernel.js';
import { presentError } from '../../kernel/present.js';
import { type StructuredError, structuredError } from '../../model/error-code.js';
import { cleanupFailed } from '../../model/run-error-codes.js';
import { suggesting } from '../../model/suggesting.js';
import type { Resource, ResourceType } from '../ownership/resource.js';
import type { Lost } from '../runs/lost-here.js';
import type { RunRecord } from '../runs/run-record.js';
import type { Unasked } from '../runs/runs-beside.js';
import { environmentOf } from '../services/environment-of.js';
import { runtimeOf } from '../services/runtime-of.js';

/** What may be left of a run: a resource, or what is only known from the record because nobody could look. */
export interface Remnant extends Omit<Resource, 'type'> {
  /** `service`: whatever there is of a service. `run`: what the run itself has, such as its network, or its record. */
  readonly type: ResourceType | 'service' | 'run';
}

/** Something that was not taken down, and why. */
export interface NotTakenDown {
  readonly resource: Remnant;
  readonly error: StructuredError;
  /** Nobody could look, so it may be there or not. */
  readonly unlooked?: true;
}

/** What was not taken down and why, in one line. */
export function sayNotTakenDown({ resource: { type, name }, error }: NotTakenDown): string {
  const { reason } = error.details;
  return `${type} ${name}: ${typeof reason === 'string' ? reason : error.message}`;
}

/** Why something was left. What helps against that comes before what is done afterwards. */
export type Hindrance = Pick<StructuredError, 'message'> & Partial<StructuredError>;

/** What the record says of a run on a runtime that cannot be asked: its services there, and what they share. */
export function remnantsOf(
  kernel: Kernel,
  run: RunRecord,
  runtime: string,
  hindrance: Hindrance,
): NotTakenDown[] {
  const services = Object.entries(run.services).flatMap(([name, one]) =>
    one.runtime === runtime ? [name] : [],
  );
  return [
    ...services.map((service) => ({ runtime, type: 'service' as const, name: service, service })),
    { runtime, type: 'run' as const, name: `${run.id} on ${runtime}` },
  ].map((what) => ({ ...remnant(kernel, run, what, hindrance), unlooked: true }));
}

/** What a runtime that cannot be asked may have of this folder although no run is recorded: containers outlive a state folder. */
export function unrecordedOn(kernel: Kernel, { runtime, error }: Unasked): NotTakenDown[] {
  const { services } = environmentOf(kernel.config, kernel.project);
  const names = services.filter((one) => runtimeOf(kernel, one).name === runtime).map(({ name }) => name);
  return [
    ...names.map((name) => ({ runtime, type: 'service' as const, name, service: name })),
    { runtime, type: 'run' as const, name: `that is not recorded on ${runtime}` },
  ].map((what) => ({
    ...notTakenDown(kernel, { ...ofNobody(kernel), ...what }, `${what.type} ${what.name}`, error),
    unlooked: true,
  }));
}

/** The record of a run that could not be changed or removed. */
export function recordLeft(kernel: Kernel, run: RunRecord, reason: string): NotTakenDown {
  return remnant(
    kernel,
    run,
    { runtime: '', type: 'run', name: `${run.id} (its record)` },
    { message: reason },
  );
}

/** What a runtime that cannot be asked may have of runs whose records were lost. */
export function lostOn(kernel: Kernel, { runtime, reason }: Lost['unknown'][number]): NotTakenDown {
  const resource: Remnant = {
    runtime,
    type: 'run',
    name: `that was lost on ${runtime}`,
    ...ofNobody(kernel),
  };
  return {
    ...notTakenDown(kernel, resource, `what was lost on ${runtime}`, { message: reason }),
    unlooked: true,
  };
}

/** What dead runs may have left where a runtime cannot be asked. */
export function deadOn(kernel: Kernel, { runtime, error }: Unasked): NotTakenDown {
  const name = `that is over on ${runtime}`;
  const resource: Remnant = { runtime, type: 'run', name, ...ofNobody(kernel) };
  return {
    ...notTakenDown(kernel, resource, `what runs that are over left on ${runtime}`, error),
    unlooked: true,
  };
}

/** What is said of something whose run is not known. */
function ofNobody({ project, clock }: Kernel) {
  return {
    id: '',
    runId: '',
    store: '',
    project: project.name,
    worktree: project.dir,
    createdAt: clock.now(),
  };
}

function remnant(
  kernel: Kernel,
  { id, project, store, worktree, createdAt }: RunRecord,
  what: Pick<Remnant, 'runtime' | 'type' | 'name' | 'service'>,
  hindrance: Hindrance,
): NotTakenDown {
  const resource = { ...what, id, project, runId: id, store, worktree, createdAt };
  return notTakenDown(kernel, resource, `${what.type} ${what.name}`, hindrance);
}

function notTakenDown(
  kernel: Kernel,
  resource: Remnant,
  said: string,
  { message: reason, suggestedActions = [], details: { circuit } = {} }: Hindrance,
): NotTakenDown {
  const { type, name, id } = resource;
  const held = typeof circuit === 'string' ? { circuit } : {};
  const occurrence = { message: `${said}: ${reason}`, details: { type, name, id, reason, ...held } };
  const error = structuredError(suggesting(cleanupFailed, suggestedActions), occurrence, kernel.clock.now());
  return { resource, error: presentError(kernel, error) };
}
