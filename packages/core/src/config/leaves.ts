/** A value that has nothing below it, and where it is. */
export interface Leaf {
  readonly path: readonly (string | number)[];
  readonly value: unknown;
}

/** Every value that has nothing below it, in order. An empty object or list is one. */
export function leavesOf(value: unknown, path: readonly (string | number)[] = []): Leaf[] {
  const below: [string | number, unknown][] = Array.isArray(value)
    ? [...value.entries()]
    : Object.entries(typeof value === 'object' && value !== null ? value : {});
  const there = below.filter(([, one]) => one !== undefined);
  return there.length === 0
    ? [{ path, value }]
    : there.flatMap(([key, one]) => leavesOf(one, [...path, key]));
}
