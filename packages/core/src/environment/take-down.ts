import type { Kernel } from '../kernel/kernel.js';
import { presentError } from '../kernel/present.js';
import { cleanupFailed } from '../model/environment-error-codes.js';
import { type StructuredError, structuredError } from '../model/error-code.js';
import { toStructuredError } from '../model/to-structured-error.js';
import { releaseClaim } from './claim-run.js';
import { runtimesOf } from './look.js';
import { removeAll } from './remove-all.js';
import type { Removal, Resource } from './resource.js';
import type { RunRecord } from './run-record.js';
import { abandonRun, changeRun, forgetRun, readRun } from './runs.js';
import type { Runtime } from './runtime.js';
import type { ServiceSpec } from './service-spec.js';
import { stopOrder } from './start-order.js';

/** What was taken down, and what could not be. */
export interface TakenDown {
  readonly removed: Resource[];
  readonly failed: { resource: Resource; error: StructuredError }[];
}

/**
 * Takes a run down: dependents before what they depend on, then what the run itself had. The record goes last, and stays
 * when something could not be removed, so that whoever tries again finds it.
 */
export async function takeDown(
  kernel: Kernel,
  run: RunRecord,
  services: readonly ServiceSpec[],
  signal: AbortSignal,
): Promise<TakenDown> {
  const unmarked = await attempt(kernel, run, 'the record', () =>
    changeRun(kernel.store, run.id, (record) => ({ ...record, state: 'stopping', owner: run.owner })),
  );
  const latest = (unmarked ? undefined : await readRun(kernel.store, run.id)) ?? run;
  const runtimes = runtimesOf(kernel, latest, services);
  const listed = await Promise.all(runtimes.map((runtime) => resourcesOf(kernel, runtime, run, signal)));
  const all = listed.flatMap(({ resources }) => resources);
  const known = services.map(({ name }) => name);
  const levels = [...stopOrder(services), unknownServices(all, known)].map((names) =>
    all.filter(({ service }) => service !== undefined && names.includes(service)),
  );
  const shared = all.filter(({ service }) => service === undefined);

  const removals: Removal[] = [];
  for (const level of [...levels, shared]) removals.push(...(await removeAll(kernel, level, signal)));
  const failed = [
    ...(unmarked ? [unmarked] : []),
    ...listed.flatMap(({ failure }) => (failure ? [failure] : [])),
    ...unloaded(kernel, latest),
    ...removals.flatMap((one) => (one.removed ? [] : [{ resource: one.resource, error: one.error }])),
  ];
  const unended = await attempt(kernel, run, 'the record', () => endRecord(kernel, run, failed.length === 0));
  if (unended) failed.push(unended);
  return { removed: removals.flatMap((one) => (one.removed ? [one.resource] : [])), failed };
}

async function endRecord(kernel: Kernel, run: RunRecord, isGone: boolean): Promise<void> {
  if (!isGone) return abandonRun(kernel.store, run.id);
  // Whoever is cut off in between has left something by which the next one finds the rest.
  try {
    await kernel.hooks.afterStop.promise(run);
  } catch {
    // What plugins keep for a run, such as its ports, counts only as long as its record does.
  }
  await forgetRun(kernel.store, run.id);
  await releaseClaim(kernel, run);
}

type Failure = TakenDown['failed'][number];

/** Does something that must not keep the rest from being done; gives what went wrong. */
async function attempt(
  kernel: Kernel,
  run: RunRecord,
  what: string,
  work: () => Promise<void>,
): Promise<Failure | undefined> {
  try {
    await work();
    return undefined;
  } catch (thrown) {
    return failureOf(kernel, run, what, toStructuredError(thrown, kernel.clock.now()).message);
  }
}

/** What a runtime has of a run. One that cannot say must not keep the others from being taken down. */
async function resourcesOf(
  kernel: Kernel,
  runtime: Runtime,
  run: RunRecord,
  signal: AbortSignal,
): Promise<{ resources: Resource[]; failure?: Failure }> {
  let resources: Resource[] = [];
  const failure = await attempt(kernel, run, runtime.name, async () => {
    resources = await runtime.resources({ project: run.project, runId: run.id }, signal);
  });
  return failure ? { resources, failure } : { resources };
}

/** Runtimes that the run has used and that no plugin brings any more: what they have of it cannot even be listed. */
function unloaded(kernel: Kernel, run: RunRecord): Failure[] {
  const used = new Set(Object.values(run.services).map(({ runtime }) => runtime));
  return [...used]
    .filter((name) => !kernel.runtimes.has(name))
    .map((name) => failureOf(kernel, run, name, 'no loaded plugin brings this runtime'));
}

/** The failure of something that is not a resource, such as a runtime that does not answer. */
function failureOf(kernel: Kernel, run: RunRecord, name: string, reason: string): Failure {
  const { id, project, store, worktree, createdAt } = run;
  const owner = { project, runId: id, store, worktree, createdAt };
  const resource: Resource = { runtime: name, type: 'process', id, name, ...owner };
  const occurrence = { message: `${name}: ${reason}`, details: { type: 'run', name, id, reason } };
  const error = structuredError(cleanupFailed, occurrence, kernel.clock.now());
  return { resource, error: presentError(kernel, error) };
}

/** Services that are not in the configuration any more, but still have something. */
function unknownServices(resources: readonly Resource[], known: readonly string[]): string[] {
  return [
    ...new Set(resources.flatMap(({ service }) => (service && !known.includes(service) ? [service] : []))),
  ];
}
