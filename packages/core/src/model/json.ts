/** A value that survives `JSON.stringify` and `JSON.parse` unchanged. */
export type Json = null | boolean | number | string | Json[] | JsonObject;

/** A JSON object: the shape of every `details`. A property that is `undefined` is one that is not there. */
export type JsonObject = { [key: string]: Json | undefined };

/** Deeper than anything people write, and shallow enough for every reader. */
const maxDepth = 64;

/** Longer than anything people keep in one list. `new Array(2 ** 32 - 1)` is written quickly and fills every memory. */
const maxItems = 1_000_000;

/** Tells whether a value would survive a round trip through JSON exactly as it is. */
export function isJson(value: unknown, ancestors: readonly object[] = []): value is Json {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true;
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || ancestors.length >= maxDepth || ancestors.includes(value)) return false;
  const path = [...ancestors, value];
  // Spread, because `every` passes over holes and JSON does not.
  if (Array.isArray(value)) return [...value].every((item) => isJson(item, path));
  return (
    isPlainObject(value) && Object.values(value).every((item) => item === undefined || isJson(item, path))
  );
}

/**
 * Turns anything into JSON without ever throwing: what JSON cannot say becomes a readable string, a cycle
 * becomes `[circular]`, what is nested too deeply `[too deep]`, a list without end `[too long]`, what breaks when it is looked at
 * `[unreadable]`, and `undefined` is left out of an object and `null` in a list, as `JSON.stringify` does.
 */
export function toJson(value: unknown, ancestors: readonly object[] = []): Json {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  try {
    if (typeof value !== 'object') return String(value);
    if (ancestors.includes(value)) return '[circular]';
    if (ancestors.length >= maxDepth) return '[too deep]';
    return objectToJson(value, [...ancestors, value]);
  } catch {
    // A getter threw, or whatever else stands in for a property. The rest of what was thrown or returned still matters more than this one object.
    return '[unreadable]';
  }
}

function objectToJson(value: object, path: readonly object[]): Json {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString();
  if (value instanceof Error) return { name: toJson(value.name, path), message: toJson(value.message, path) };
  if (value instanceof Map) return toJson(Object.fromEntries(value), path);
  if (value instanceof Set || Array.isArray(value)) return listToJson(value, path);
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  return Object.fromEntries(entries.map(([key, item]) => [key, toJson(item, path)]));
}

function listToJson(list: Set<unknown> | unknown[], path: readonly object[]): Json {
  const isTooLong = Array.isArray(list) && list.length > maxItems;
  return isTooLong ? '[too long]' : [...list].map((item) => (item === undefined ? null : toJson(item, path)));
}

function isPlainObject(value: object): boolean {
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
