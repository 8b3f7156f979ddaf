import type { Kernel } from '../kernel/kernel.js';
import { ArgusError } from '../model/argus-error.js';
import type { Checker } from '../model/checker.js';
import { usageInvalid } from '../model/core-error-codes.js';
import { nearest } from '../model/nearest.js';

/** Which checks to run: names of checkers or of plugins. */
export interface CheckFilter {
  /** Only these, with what they require. */
  readonly only?: readonly string[];
  /** Not these; what requires them runs without. */
  readonly skip?: readonly string[];
}

/** The checkers that a filter leaves, in the order of registration. */
export function selectCheckers(
  { checkers, plugins: loaded }: Kernel,
  { only, skip = [] }: CheckFilter,
): readonly Checker[] {
  const all = checkers.values();
  // Also those without a checker: whether they have one can depend on what is configured.
  const plugins = new Set(loaded.map(({ plugin }) => plugin.name).filter((name) => name !== 'core'));
  for (const name of [...(only ?? []), ...skip]) {
    if (!checkers.has(name) && !plugins.has(name)) throw unknown(name, [...checkers.names(), ...plugins]);
  }
  const matches = (names: readonly string[], name: string) =>
    names.includes(name) || names.includes(checkers.ownerOf(name) ?? 'core');

  const wanted = new Set<string>();
  const want = (name: string): void => {
    if (wanted.has(name) || !checkers.has(name) || matches(skip, name)) return;
    wanted.add(name);
    for (const required of checkers.get(name)?.requires ?? []) want(required);
  };
  for (const { name } of all) if (!only || matches(only, name)) want(name);

  const selected = all.filter(({ name }) => wanted.has(name));
  if (selected.length === 0) {
    const why = all.length === 0 ? 'no loaded plugin brings a checker' : whyNone(only, checkers);
    throw new ArgusError(usageInvalid, { message: `There is nothing to check: ${why}` });
  }
  return selected;
}

/** Why a filter leaves nothing: what it names has no checker here, or everything is left out. */
function whyNone(only: readonly string[] = [], checkers: Kernel['checkers']): string {
  const owners = new Set(checkers.names().map((name) => checkers.ownerOf(name) ?? 'core'));
  const bare = only.filter((name) => !checkers.has(name) && !owners.has(name));
  if (bare.length === 0 || bare.length < only.length) return 'every checker is left out';
  return bare.length === 1
    ? `the plugin ${bare[0]} is loaded, but has no checker here`
    : `the plugins ${bare.join(', ')} are loaded, but have no checkers here`;
}

function unknown(name: string, known: readonly string[]): ArgusError {
  const suggestion = nearest(name, known);
  const hint = suggestion ? `; did you mean ${suggestion}?` : `; there are ${[...known].sort().join(', ')}`;
  return new ArgusError(usageInvalid, {
    message: `There is no checker or plugin called ${name}${hint}`,
    details: { name, known: [...known], ...(suggestion ? { suggestion } : {}) },
  });
}
