import { isJson } from './json.js';

/** Where a value would not survive JSON and why, as `details.handle is a function`, or nothing when it would. */
export function notJson(value: unknown, path: string, ancestors: readonly object[] = []): string | undefined {
  if (isJson(value)) return undefined;
  if (typeof value !== 'object' || value === null) return `${path} is ${describe(value)}`;
  if (ancestors.includes(value)) return `${path} leads back to itself`;
  const prototype = Object.getPrototypeOf(value);
  if (!Array.isArray(value) && prototype !== Object.prototype && prototype !== null) {
    return `${path} is a ${value.constructor?.name ?? 'strange object'}`;
  }
  for (const [key, item] of Object.entries(value)) {
    if (item === undefined && !Array.isArray(value)) continue;
    const reason = notJson(item, `${path}.${key}`, [...ancestors, value]);
    if (reason !== undefined) return reason;
  }
  return `${path} is nothing that JSON can say`;
}

function describe(value: unknown): string {
  if (typeof value === 'number' || value === undefined) return String(value);
  return typeof value === 'symbol' ? 'a symbol' : `a ${typeof value}`;
}
