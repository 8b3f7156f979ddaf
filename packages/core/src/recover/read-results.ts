import type { StructuredError } from '../model/error-code.js';
import { excerpt } from '../model/excerpt.js';
import { isStructuredError } from '../model/is-structured-error.js';
import { toJson } from '../model/json.js';
import { lengthOfList } from '../model/length-of-list.js';
import { toStructuredError } from '../model/to-structured-error.js';
import type { Redactor } from '../redact/redactor.js';

/** What a recoverer says of one step; a step that failed for a reason that cannot be read has no error. */
export type ReadResult =
  | { readonly target: string; readonly applied: true }
  | { readonly target: string; readonly applied: false; readonly error?: StructuredError };

/** What a recoverer says of its steps, as far as it can be read. */
export interface ReadResults {
  readonly results: readonly ReadResult[];
  /** What cannot be read, going on from the name of the recoverer. It may be about any step that has no other result. */
  readonly flaw?: string;
}

/** Reads what a recoverer returned when it was applied. Never throws: what was begun must be judged, whatever is said of it. */
export function readResults(returned: unknown, redactor: Redactor): ReadResults {
  // A recoverer with nothing to report returns nothing.
  if (returned === undefined || returned === null) return { results: [] };
  const results: ReadResult[] = [];
  let flaw: string | undefined;
  try {
    if (!Array.isArray(returned))
      return { results, flaw: `returned no list of results: ${excerpt(returned, redactor)}` };
    const length = lengthOfList(returned);
    for (let index = 0; index < length; index++) {
      const item: unknown = returned[index];
      const result = readResult(item);
      if (result) results.push(result);
      else flaw ??= `returned something that is no result: ${excerpt(item, redactor)}`;
    }
  } catch (thrown) {
    flaw ??= `returned something that cannot be read: ${toStructuredError(thrown).message}`;
  }
  return flaw === undefined ? { results } : { results, flaw };
}

function readResult(item: unknown): ReadResult | undefined {
  if (typeof item !== 'object' || item === null) return undefined;
  const { target, applied, error } = item as Record<'target' | 'applied' | 'error', unknown>;
  if (typeof target !== 'string' || typeof applied !== 'boolean') return undefined;
  if (applied) return { target, applied };
  const reason: unknown = toJson(error);
  return isStructuredError(reason) && !Array.isArray(reason.details)
    ? { target, applied, error: reason }
    : { target, applied };
}
