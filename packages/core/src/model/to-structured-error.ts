import { isArgusError } from './argus-error.js';
import { cancelled, internalError } from './core-error-codes.js';
import { type StructuredError, structuredError } from './error-code.js';
import { isStructuredError } from './is-structured-error.js';
import { toJson } from './json.js';

/** Turns anything thrown into a `StructuredError`: no error leaves an operation without a code. */
export function toStructuredError(thrown: unknown, timestamp = Date.now()): StructuredError {
  try {
    return understood(thrown, timestamp);
  } catch {
    // What was thrown breaks when it is looked at. That something was thrown is all that can be said.
    const message = 'Something was thrown that cannot be looked at';
    return structuredError(internalError, { message, details: {} }, timestamp);
  }
}

function understood(thrown: unknown, timestamp: number): StructuredError {
  if (isArgusError(thrown) && isStructuredError(thrown.error)) return thrown.error;
  if (isAbort(thrown)) return structuredError(cancelled, { message: 'The work was cancelled' }, timestamp);
  const message =
    thrown instanceof Error ? toText(thrown.message || thrown.name) : `thrown: ${toText(thrown)}`;
  return structuredError(internalError, { message, details: detailsOf(thrown) }, timestamp);
}

function detailsOf(thrown: unknown) {
  if (!(thrown instanceof Error)) return { thrown: toJson(thrown) };
  const { name, cause } = thrown;
  const code = 'code' in thrown ? { systemCode: toJson(thrown.code) } : {};
  return { name: toText(name), ...code, ...(cause === undefined ? {} : { cause: toJson(cause) }) };
}

function toText(thrown: unknown): string {
  const json = toJson(thrown);
  return typeof json === 'string' ? json : JSON.stringify(json);
}

function isAbort(thrown: unknown): boolean {
  return thrown instanceof Error && thrown.name === 'AbortError';
}
