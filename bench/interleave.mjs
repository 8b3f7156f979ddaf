/**
 * Times several ways of doing the same thing, in rounds that take each of them in turn, so that whatever else the
 * machine does meanwhile falls on all alike. Gives the median nanoseconds of one call for each.
 */
export async function interleave(contestants, { rounds, warmUps, calls }) {
  const names = Object.keys(contestants);
  const times = Object.fromEntries(names.map((name) => [name, []]));
  for (let round = -warmUps; round < rounds; round += 1) {
    for (let turn = 0; turn < names.length; turn += 1) {
      const name = names[(turn + round + warmUps) % names.length];
      globalThis.gc?.();
      const begun = process.hrtime.bigint();
      await contestants[name](calls);
      const taken = Number(process.hrtime.bigint() - begun);
      if (round >= 0) times[name].push(taken / calls);
    }
  }
  return Object.fromEntries(names.map((name) => [name, median(times[name])]));
}

/** The middle value. */
export function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
