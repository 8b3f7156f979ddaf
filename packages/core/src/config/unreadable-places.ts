import type { Problem } from './problem.js';
import { reasonOf } from './reason.js';
import { isPlain } from './unusable-texts.js';

/**
 * Every place that cannot be read to its end, so that nothing else can be said of it: where a value leads back to what it lies in, as an
 * alias in YAML can, and where it breaks when it is looked at, as a getter in a module can. What is under `except` is not
 * looked into.
 */
export function unreadablePlaces(input: unknown, except: string): Problem[] {
  const done = new Set<object>();
  const visit = (value: unknown, path: readonly PropertyKey[], around: readonly object[]): Problem[] => {
    try {
      if (!isPlain(value)) return [];
      if (around.includes(value))
        return [{ path, message: 'leads back to what it lies in, so it has no end' }];
      if (done.has(value)) return [];
      done.add(value);
      const inner = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
      return inner.flatMap(([key, item]) =>
        path.length === 0 && key === except ? [] : visit(item, [...path, key], [...around, value]),
      );
    } catch (error) {
      return [{ path, message: `breaks when it is looked at: ${reasonOf(error)}` }];
    }
  };
  return visit(input, [], []);
}
