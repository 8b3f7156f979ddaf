/** A checker that has a place in the list. */
export interface PlacedChecker {
  readonly name: string;
  /** The plugin that brings it. */
  readonly plugin: string;
  /** The checkers that it needs, as far as they are known. */
  readonly requires: readonly string[];
}

/** The checkers of one plugin, those that need another of them below it and further in. */
export interface CheckGroup {
  readonly plugin: string;
  readonly rows: readonly { readonly name: string; readonly depth: number }[];
}

/** Gives every checker its place, which depends on nothing that a check can find: so a list never has to be put in order again. */
export function checkTree(checkers: readonly PlacedChecker[]): CheckGroup[] {
  const plugins = [...new Set(checkers.map(({ plugin }) => plugin))];
  return plugins.map((plugin) => {
    const own = checkers.filter((checker) => checker.plugin === plugin);
    const parentOf = ({ requires }: PlacedChecker) => own.find(({ name }) => requires.includes(name));
    const rows = new Map<string, number>();
    const place = (checker: PlacedChecker, depth: number): void => {
      if (rows.has(checker.name)) return;
      rows.set(checker.name, depth);
      for (const child of own) if (parentOf(child) === checker) place(child, depth + 1);
    };
    for (const checker of own) if (!parentOf(checker)) place(checker, 0);
    return { plugin, rows: [...rows].map(([name, depth]) => ({ name, depth })) };
  });
}
