import type { Kernel } from '../kernel/kernel.js';
import { presentError } from '../kernel/present.js';
import { cleanupFailed } from '../model/environment-error-codes.js';
import { type StructuredError, structuredError } from '../model/error-code.js';
import { toStructuredError } from '../model/to-structured-error.js';
import { releaseClaim } from './claim-run.js';
import { runtimesOf } from './look.js';
import type { Removal, Resource } from './resource.js';
import type { RunRecord } from './run-record.js';
import { changeRun, forgetRun, readRun } from './runs.js';
import type { Runtime } from './runtime.js';
import type { ServiceSpec } from './service-spec.js';
import { stopOrder } from './start-order.js';

/** What was taken down, and what could not be. */
export interface TakenDown {
  readonly removed: Resource[];
  readonly failed: { resource: Resource; error: StructuredError }[];
}

/** Takes a run down: dependents before what they depend on, then what the run itself had. The record goes last. */
export async function takeDown(
  kernel: Kernel,
  run: RunRecord,
  services: readonly ServiceSpec[],
  signal: AbortSignal,
): Promise<TakenDown> {
  await changeRun(kernel.store, run.id, (record) => ({ ...record, state: 'stopping', owner: run.owner }));
  const latest = (await readRun(kernel.store, run.id)) ?? run;
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
    ...listed.flatMap(({ failure }) => (failure ? [failure] : [])),
    ...removals.flatMap((one) => (one.removed ? [] : [{ resource: one.resource, error: one.error }])),
  ];

  await forgetRun(kernel.store, run.id);
  await releaseClaim(kernel, run);
  await kernel.hooks.afterStop.promise(run);
  return { removed: removals.flatMap((one) => (one.removed ? [one.resource] : [])), failed };
}

/** Removes resources, each by the runtime that made it, and tells of each. */
export async function removeAll(
  kernel: Kernel,
  resources: readonly Resource[],
  signal: AbortSignal,
): Promise<Removal[]> {
  if (resources.length === 0) return [];
  const graceMs = kernel.config.environment.stopTimeout;
  const removals = await Promise.all(
    kernel.runtimes.values().map(async (runtime) => {
      const own = resources.filter((resource) => resource.runtime === runtime.name);
      return own.length === 0 ? [] : removeWith(kernel, runtime, own, graceMs, signal);
    }),
  );
  for (const removal of removals.flat()) {
    const { type, name, service } = removal.resource;
    const message = removal.removed ? {} : { message: removal.error.message };
    const action = removal.removed ? 'removed' : 'failed';
    kernel.events.emit('cleanup_resource', { type, name, action, ...message });
    if (service !== undefined && removal.removed) {
      kernel.events.emit('service_state', { service, state: 'stopped', message: 'stopped' });
    }
  }
  return removals.flat();
}

async function removeWith(
  kernel: Kernel,
  runtime: Runtime,
  resources: readonly Resource[],
  graceMs: number,
  signal: AbortSignal,
): Promise<Removal[]> {
  try {
    return await runtime.remove(resources, { graceMs, signal });
  } catch (thrown) {
    const error = toStructuredError(thrown, kernel.clock.now());
    return resources.map((resource) => ({ resource, removed: false, error: presentError(kernel, error) }));
  }
}

/** What a runtime has of a run. One that cannot say must not keep the others from being taken down. */
async function resourcesOf(kernel: Kernel, runtime: Runtime, run: RunRecord, signal: AbortSignal) {
  try {
    return { resources: await runtime.resources({ project: run.project, runId: run.id }, signal) };
  } catch (thrown) {
    const { message } = toStructuredError(thrown, kernel.clock.now());
    const resource = unlisted(runtime, run);
    const details = { type: 'run', name: runtime.name, id: run.id, reason: message };
    const error = structuredError(
      cleanupFailed,
      { message: `${runtime.name}: ${message}`, details },
      kernel.clock.now(),
    );
    return { resources: [], failure: { resource, error: presentError(kernel, error) } };
  }
}

function unlisted(runtime: Runtime, run: RunRecord): Resource {
  const { id, project, store, worktree, createdAt } = run;
  return {
    runtime: runtime.name,
    type: 'process',
    id,
    name: runtime.name,
    project,
    runId: id,
    store,
    worktree,
    createdAt,
  };
}

/** Services that are not in the configuration any more, but still have something. */
function unknownServices(resources: readonly Resource[], known: readonly string[]): string[] {
  return [
    ...new Set(resources.flatMap(({ service }) => (service && !known.includes(service) ? [service] : []))),
  ];
}
