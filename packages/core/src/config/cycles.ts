import { isPlain } from './lost-keys.js';
import type { Problem } from './problem.js';

/**
 * Every place where a value leads back to what it lies in, as an alias in YAML can: it has no end, so nothing else can be said of
 * it. What is under `except` is not looked into.
 */
export function cycles(input: unknown, except: string): Problem[] {
  const done = new Set<object>();
  const visit = (value: unknown, path: readonly PropertyKey[], around: readonly object[]): Problem[] => {
    if (!isPlain(value)) return [];
    if (around.includes(value)) return [{ path, message: 'leads back to what it lies in, so it has no end' }];
    if (done.has(value)) return [];
    done.add(value);
    const inner = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
    return inner.flatMap(([key, item]) => visit(item, [...path, key], [...around, value]));
  };
  return visit(without(input, except), [], []);
}

function without(input: unknown, key: string): unknown {
  if (!isPlain(input) || Array.isArray(input)) return input;
  return Object.fromEntries(Object.entries(input).filter(([name]) => name !== key));
}
