import type { Kernel } from '../../kernel/kernel.js';
import { toStructuredError } from '../../model/to-structured-error.js';
import type { Removal, Resource } from '../ownership/resource.js';
import type { RunRecord } from '../runs/run-record.js';
import type { Runtime } from '../runtime.js';
import { removalOrder } from '../services/removal-order.js';
import { runtimesOf } from '../services/runtime-of.js';
import type { ServiceSpec } from '../services/service-spec.js';
import { type NotTakenDown, remnantsOf } from './remnants.js';
import { removeAll } from './remove-all.js';
import { type TakenDown, takenDown, together } from './taken-down.js';

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
  const unlisted = listed.flatMap(({ left }) => left).filter(({ resource }) => isChosen(resource));
  return together({ removed: [], failed: unlisted }, takenDown(removals));
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
    const hindrance = toStructuredError(thrown, kernel.clock.now());
    return { resources: [], left: remnantsOf(kernel, run, runtime.name, hindrance) };
  }
}
