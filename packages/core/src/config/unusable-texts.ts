import type { Problem } from './problem.js';

/** The key that schemas pass over. */
export const lostKey = '__proto__';

/** Why a name cannot be used that objects of JavaScript have anyway. */
export function reservedName(name: string): string {
  return `${JSON.stringify(name)} cannot be used as a name, because JavaScript itself uses it`;
}

const nul = 'has a NUL character in it, which no program can be given';

/**
 * A problem for each key that would get lost, because records pass over it without a word, and for each text that ends in the middle
 * for whatever it is handed to.
 */
export function unusableTexts(input: unknown): Problem[] {
  const seen = new Set<object>();
  const visit = (value: unknown, path: readonly PropertyKey[]): Problem[] => {
    if (typeof value === 'string' && value.includes('\0')) return [{ path, message: nul }];
    if (!isPlain(value) || seen.has(value)) return [];
    seen.add(value);
    const inner = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
    return inner.flatMap(([key, item]) => {
      const at = [...path, key];
      if (key === lostKey) return [{ path: at, message: reservedName(lostKey) }];
      const isKeyCut = typeof key === 'string' && key.includes('\0');
      return isKeyCut ? [{ path: at, message: `the key ${nul}` }] : visit(item, at);
    });
  };
  return visit(input, []);
}

/** Lists and objects as files have them; what was made by code, such as a schema, is not looked into. */
export function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  return Array.isArray(value) || [Object.prototype, null].includes(Object.getPrototypeOf(value));
}
