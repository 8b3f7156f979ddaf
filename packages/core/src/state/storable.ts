import { ArgusError } from '../model/argus-error.js';
import { usageInvalid } from '../model/core-error-codes.js';
import { isJson, type Json, type JsonObject, toJson } from '../model/json.js';
import type { ReadOptions, Retention, WriteCondition } from './state-store.js';

// What databases cannot keep in a key: NUL, and halves of surrogate pairs.
const unstorable = /\0|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/;

/** Refuses names of namespaces, keys and streams that not every driver could give back unchanged. */
export function requireNames(names: { readonly [kind: string]: string }): void {
  for (const [kind, name] of Object.entries(names)) {
    if (typeof name !== 'string' || name === '' || unstorable.test(name)) {
      refuse(`The ${kind} must be a plain text that is not empty`, { [kind]: toJson(name) });
    }
  }
}

/** Turns a value into the text that is stored, and refuses what would not come back as it is. */
export function toStoredText(value: Json): string {
  if (!isJson(value)) refuse('Only JSON can be stored', { value: toJson(value) });
  return JSON.stringify(value);
}

/** Refuses a condition that is neither a revision nor `absent`. */
export function requireCondition({ ifRevision }: WriteCondition): void {
  if (ifRevision !== 'absent') requireCount('ifRevision', ifRevision);
}

/** Refuses a retention that says nothing sensible. */
export function requireRetention({ maxEntries, maxAgeMs }: Retention): void {
  requireCount('maxEntries', maxEntries);
  if (maxAgeMs !== undefined && !(maxAgeMs >= 0)) {
    refuse('maxAgeMs must be a number of milliseconds', { maxAgeMs: toJson(maxAgeMs) });
  }
}

/** Refuses options of a read that say nothing sensible. */
export function requireReadOptions({ after, last }: ReadOptions): void {
  requireCount('after', after);
  requireCount('last', last);
}

function requireCount(what: string, count: number | undefined): void {
  if (count !== undefined && !(Number.isSafeInteger(count) && count >= 0)) {
    refuse(`${what} must be a whole number that is not negative`, { [what]: toJson(count) });
  }
}

function refuse(message: string, details: JsonObject): never {
  throw new ArgusError(usageInvalid, { message, details });
}
