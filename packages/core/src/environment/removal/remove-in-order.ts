import type { Clock } from '../../time/clock.js';
import type { Removal, Resource } from '../ownership/resource.js';

/** The part of the time to stop that dependents have before what they depend on is told too, all layers together. */
const headStartShare = 1 / 20;

/**
 * Removes layer after layer, dependents before what they depend on, then what the run itself has. A layer that takes its time does
 * not hold up the next: dependents have a head start, and then all are told, so that all take as long as the slowest.
 */
export async function removeInOrder(
  layers: readonly (readonly Resource[])[],
  { clock, graceMs }: { readonly clock: Clock; readonly graceMs: number },
  remove: (layer: readonly Resource[]) => Promise<Removal[]>,
): Promise<Removal[]> {
  const all = layers.filter((layer) => layer.length > 0);
  const isOfService = ([first]: readonly Resource[]) => first?.service !== undefined;
  const allToldAt = clock.monotonic() + graceMs * headStartShare;
  const going: Promise<Removal[]>[] = [];
  for (const layer of all.filter(isOfService)) {
    const removal = remove(layer);
    going.push(removal);
    await doneOrAfter(removal, clock, allToldAt - clock.monotonic());
  }
  const removed = (await Promise.all(going)).flat();
  for (const layer of all.filter((one) => !isOfService(one))) removed.push(...(await remove(layer)));
  return removed;
}

/** Waits until it is done, but not for longer. */
function doneOrAfter(work: Promise<unknown>, clock: Clock, ms: number): Promise<void> {
  if (ms <= 0) return Promise.resolve();
  return new Promise((resolve) => {
    const cancel = clock.after(ms, resolve);
    const done = () => {
      cancel();
      resolve();
    };
    work.then(done, done);
  });
}
