import type { Kernel } from '../../kernel/kernel.js';
import type { Removal, Resource } from '../ownership/resource.js';
import type { RunRecord } from '../runs/run-record.js';
import { removalOrder } from '../services/removal-order.js';
import type { ServiceSpec } from '../services/service-spec.js';
import { listedOf } from './listed-of.js';
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
  const { resources, left } = await listedOf(kernel, run, services, signal);
  const chosen = resources.filter(isChosen);
  const removals: Removal[] = [];
  for (const level of removalOrder(chosen, services)) {
    for (const service of new Set(level.flatMap((one) => one.service ?? [])))
      kernel.events.emit('service_state', { service, state: 'stopping', message: 'stopping' });
    removals.push(...(await removeAll(kernel, level, signal, graceMs)));
  }
  const unlisted = left.filter(({ resource }) => isChosen(resource));
  return together({ removed: [], failed: unlisted }, takenDown(removals));
}
