import type { Kernel } from '@argusai/core';

/** Operations whose names begin with the same word: `fault-list` and `fault-inject`. */
export interface CommandGroup {
  readonly first: string;
  /** What follows it, one for each. */
  readonly members: readonly string[];
}

/** What is typed first and is no operation. */
export const otherCommands = ['help', 'completion', 'trust', 'mcp'] as const;

/** Names in two words, by their first one: `fault-list` is `fault list`, unless there is a command `fault`. */
export function commandGroups({ operations }: Pick<Kernel, 'operations'>): CommandGroup[] {
  const all = operations.values();
  const taken = new Set<string>([
    ...otherCommands,
    ...all.flatMap(({ name, alias = name }) => [name, alias]),
  ]);
  const groups = new Map<string, string[]>();
  for (const { name } of all) {
    const [, first, member] = /^([^-]+)-(.+)$/.exec(name) ?? [];
    if (first === undefined || member === undefined || taken.has(first)) continue;
    groups.set(first, [...(groups.get(first) ?? []), member]);
  }
  return [...groups].map(([first, members]) => ({ first, members }));
}

/** The groups that are shown as such. One of a kind, such as `plan-recovery`, keeps its dash and is understood in two words too. */
export function shownGroups(kernel: Pick<Kernel, 'operations'>): CommandGroup[] {
  return commandGroups(kernel).filter(({ members }) => members.length > 1);
}

/** The group that is named without any of its members. */
export function groupAlone(
  kernel: Pick<Kernel, 'operations'>,
  [first, ...rest]: readonly string[],
): CommandGroup | undefined {
  return rest.length === 0 ? shownGroups(kernel).find((group) => group.first === first) : undefined;
}
