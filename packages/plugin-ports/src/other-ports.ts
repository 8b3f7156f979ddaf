import type { Conflict } from './conflict.js';
import { findConflicts, type World } from './find-conflicts.js';
import { portsAskedFor, type Wish } from './wish.js';

/** How many ports of a range are tried together. */
const atOnce = 50;

/** For wishes for one of a range that cannot have the first: another port of the range, where there is one for each. */
export async function otherPorts(
  conflicts: readonly Conflict[],
  wishes: readonly Wish[],
  world: World,
): Promise<ReadonlyMap<Wish, number>> {
  const found = new Map<Wish, number>();
  const isDenied = (wish: Wish) => conflicts.some((conflict) => conflict.wish === wish);
  const claimed = [...world.occupied, ...wishes.filter((wish) => !isDenied(wish))];
  for (const { wish } of conflicts) {
    const ports = wish.within ? portsAskedFor(wish) : [];
    for (let begun = 0; begun < ports.length && !found.has(wish); begun += atOnce) {
      const candidates = ports.slice(begun, begun + atOnce).map((port) => ({ ...wish, port }));
      const occupied = [...claimed, ...[...found].map(([other, port]) => ({ ...other, port }))];
      const taken = await findConflicts(candidates, { ...world, occupied });
      const free = candidates.find((one) => !taken.some((conflict) => conflict.wish === one));
      if (free) found.set(wish, free.port);
    }
  }
  return found;
}
