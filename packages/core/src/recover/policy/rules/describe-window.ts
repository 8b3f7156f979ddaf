const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const;

/** Says how long a window is, as it follows "in the last": `hour`, `90 minutes`. */
export function describeWindow(ms: number): string {
  for (const [unit, size] of units) {
    if (ms === size) return unit;
    if (ms > size && ms % size === 0) return `${ms / size} ${unit}s`;
  }
  return `${ms} milliseconds`;
}
