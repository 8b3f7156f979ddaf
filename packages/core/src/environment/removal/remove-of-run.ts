import type { Kernel } from '../../kernel/kernel.js';
import type { Resource } from '../ownership/resource.js';
import type { RunRecord } from '../runs/run-record.js';
import { removalOrder } from '../services/removal-order.js';
import type { ServiceSpec } from '../services/service-spec.js';
import { listedOf } from './listed-of.js';
import { removeAll } from './remove-all.js';
import { removeInOrder } from './remove-in-order.js';
import { type TakenDown, takenDown, together } from './taken-down.js';
import { tellWaiting } from './tell-waiting.js';

/** Removes what runtimes have of a run and what is chosen of it: dependents first. */
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
  const grace = graceMs ?? kernel.config.environment.stopTimeout;
  const waiting = tellWaiting(kernel, run, grace, signal);
  const layers = removalOrder(chosen, services);
  const removals = await removeInOrder(layers, { clock: kernel.clock, graceMs: grace }, (layer) => {
    const names = new Set(layer.flatMap((one) => one.service ?? []));
    for (const service of names)
      kernel.events.emit('service_state', { service, state: 'stopping', message: 'stopping' });
    waiting.told(names);
    return removeAll(kernel, layer, signal, grace);
  }).finally(waiting.end);
  const unlisted = left.filter(({ resource }) => isChosen(resource));
  return together({ removed: [], failed: unlisted }, takenDown(removals));
}
