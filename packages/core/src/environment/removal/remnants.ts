import type { Kernel } from '../../kernel/kernel.js';
import { presentError } from '../../kernel/present.js';
import { type StructuredError, structuredError } from '../../model/error-code.js';
import { cleanupFailed } from '../../model/run-error-codes.js';
import { suggesting } from '../../model/suggesting.js';
import type { Resource, ResourceType } from '../ownership/resource.js';
import type { Unlooked } from '../runs/lost-here.js';
import type { RunRecord } from '../runs/run-record.js';
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
export type Hindrance = Unlooked['error'];

/** What the record says of a run on a runtime that cannot be asked: its services there, and what they share. */
export function remnantsOf(
  kernel: Kernel,
  run: RunRecord,
  runtime: string,
  hindrance: Hindrance,
): NotTakenDown[] {
  const services = Object.keys(run.services).filter((name) => run.services[name]?.runtime === runtime);
  return partsOn(runtime, services, `${run.id} on ${runtime}`).map((part) =>
    unlooked(kernel, { ...ofRun(run), ...part }, hindrance),
  );
}

/** What a runtime that cannot be asked may have of this folder although no run is recorded: containers outlive a state folder. */
export function unrecordedOn(kernel: Kernel, { runtime, error }: Unlooked): NotTakenDown[] {
  const { services } = environmentOf(kernel.config, kernel.project);
  const names = services.filter((one) => runtimeOf(kernel, one).name === runtime).map(({ name }) => name);
  return partsOn(runtime, names, `of this project that is not recorded, on ${runtime}`).map((part) =>
    unlooked(kernel, { ...ofNobody(kernel), ...part }, error),
  );
}

/** The record of a run that could not be changed or removed. */
export function recordLeft(kernel: Kernel, run: RunRecord, reason: string): NotTakenDown {
  const name = `${run.id} (its record)`;
  return notTakenDown(kernel, { ...ofRun(run), runtime: '', type: 'run', name }, { message: reason });
}

/** What a runtime that cannot be asked may have of runs whose records were lost. */
export function lostOn(kernel: Kernel, { runtime, error }: Unlooked): NotTakenDown {
  const name = `of this project that was lost, on ${runtime}`;
  const resource: Remnant = { ...ofNobody(kernel), runtime, type: 'run', name };
  return unlooked(kernel, resource, error, `what was lost on ${runtime}`);
}

/** What dead runs may have left where a runtime cannot be asked. */
export function deadOn(kernel: Kernel, { runtime, error }: Unlooked): NotTakenDown {
  const name = `of this project that is over, on ${runtime}`;
  const resource: Remnant = { ...ofNobody(kernel), runtime, type: 'run', name };
  return unlooked(kernel, resource, error, `what runs that are over left on ${runtime}`);
}

/** Services on a runtime, and what they share. */
function partsOn(
  runtime: string,
  services: readonly string[],
  shared: string,
): Pick<Remnant, 'runtime' | 'type' | 'name' | 'service'>[] {
  return [
    ...services.map((service) => ({ runtime, type: 'service' as const, name: service, service })),
    { runtime, type: 'run', name: shared },
  ];
}

function ofRun({ id, project, store, worktree, createdAt }: RunRecord) {
  return { id, project, runId: id, store, worktree, createdAt };
}

/** What is said of something whose run is not known. */
function ofNobody({ project, clock }: Kernel) {
  const { name, dir } = project;
  return { id: '', project: name, runId: '', store: '', worktree: dir, createdAt: clock.now() };
}

function unlooked(...what: Parameters<typeof notTakenDown>): NotTakenDown {
  return { ...notTakenDown(...what), unlooked: true };
}

function notTakenDown(
  kernel: Kernel,
  resource: Remnant,
  { message: reason, suggestedActions = [], details: { circuit } = {} }: Hindrance,
  said = `${resource.type} ${resource.name}`,
): NotTakenDown {
  const { type, name, id } = resource;
  const held = typeof circuit === 'string' ? { circuit } : {};
  const occurrence = { message: `${said}: ${reason}`, details: { type, name, id, reason, ...held } };
  const error = structuredError(suggesting(cleanupFailed, suggestedActions), occurrence, kernel.clock.now());
  return { resource, error: presentError(kernel, error) };
}
