import type { Kernel } from '../../kernel/kernel.js';
import type { Resource } from '../ownership/resource.js';
import { lostHere } from '../runs/lost-here.js';
import { environmentOf } from '../services/environment-of.js';
import { removalOrder } from '../services/removal-order.js';
import { lostOn } from './remnants.js';
import { removeAll } from './remove-all.js';
import { removeInOrder } from './remove-in-order.js';
import type { TakenDown } from './taken-down.js';
import { takenDown, together } from './taken-down.js';

/** Takes it down: whoever cleans this folder means all that was ever set up in it. */
export async function cleanLost(kernel: Kernel, signal: AbortSignal): Promise<TakenDown> {
  const { resources, unlooked } = await lostHere(kernel, signal);
  const unseen = { removed: [], failed: unlooked.map((one) => lostOn(kernel, one)) };
  return together(unseen, await removeLost(kernel, resources, signal));
}

/** Removes what is there of runs whose records were lost: dependents first. */
export async function removeLost(
  kernel: Kernel,
  resources: readonly Resource[],
  signal: AbortSignal,
): Promise<TakenDown> {
  const { services } = environmentOf(kernel.config, kernel.project);
  const { clock, config } = kernel;
  const options = { clock, graceMs: config.environment.stopTimeout };
  const layers = removalOrder(resources, services);
  return takenDown(await removeInOrder(layers, options, (layer) => removeAll(kernel, layer, signal)));
}
