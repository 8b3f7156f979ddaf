import type { Kernel } from '../kernel/kernel.js';
import { toStructuredError } from '../model/to-structured-error.js';
import { runtimesOf } from './look.js';
import { type NotTakenDown, remnantsOf } from './remnants.js';
import { removalOrder } from './removal-order.js';
import { removeAll } from './remove-all.js';
import type { Removal, Resource } from './resource.js';
import type { RunRecord } from './run-record.js';
import type { Runtime } from './runtime.js';
import type { ServiceSpec } from './service-spec.js';

/** What was taken down, and what could not be. */
export interface TakenDown {
  readonly removed: Resource[];
  readonly failed: NotTakenDown[];
}

/** Removes what runtimes have of a run and what is chosen of it: dependents before what they depend on. */
export async function removeOfRun(
  kernel: Kernel,
  run: RunRecord,
  services: readonly ServiceSpec[],
  isChosen: (resource: Pick<Resource, 'service'>) => boolean,
  signal: AbortSignal,
  graceMs?: number,
): Promise<TakenDown> {
  const runtimes = runtimesOf(kernel, run, services);
  const listed = await Promise.all(runtimes.map((runtime) => resourcesOf(kernel, runtime, run, signal)));
  const chosen = listed.flatMap(({ resources }) => resources).filter(isChosen);
  const removals: Removal[] = [];
  for (const level of removalOrder(chosen, services)) {
    for (const service of new Set(level.flatMap((one) => one.service ?? [])))
      kernel.events.emit('service_state', { service, state: 'stopping', message: 'stopping' });
    removals.push(...(await removeAll(kernel, level, signal, graceMs)));
  }
  return {
    removed: removals.flatMap((one) => (one.removed ? [one.resource] : [])),
    failed: [
      ...listed.flatMap(({ left }) => left).filter(({ resource }) => isChosen(resource)),
      ...removals.flatMap((one) => (one.removed ? [] : [{ resource: one.resource, error: one.error }])),
    ],
  };
}

/** What a runtime has of a run. One that cannot say must not keep the others from being taken down. */
async function resourcesOf(
  kernel: Kernel,
  runtime: Runtime,
  run: RunRecord,
  signal: AbortSignal,
): Promise<{ resources: Resource[]; left: NotTakenDown[] }> {
  try {
    return { resources: await runtime.resources({ project: run.project, runId: run.id }, signal), left: [] };
  } catch (thrown) {
    const reason = toStructuredError(thrown, kernel.clock.now()).message;
    return { resources: [], left: remnantsOf(kernel, run, runtime.name, reason) };
  }
}
