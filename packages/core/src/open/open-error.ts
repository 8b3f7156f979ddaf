import type { StructuredError } from '../model/error-code.js';
import { type Json, toJson } from '../model/json.js';
import { toStructuredError } from '../model/to-structured-error.js';
import { collectSecrets } from '../redact/collect-secrets.js';
import { createRedactor } from '../redact/redactor.js';

/**
 * Makes what was thrown where there is no kernel at hand fit to be shown: with a code, without the secrets of where it came from, and
 * without those that are known besides.
 */
export function openError(
  thrown: unknown,
  secretsFrom: unknown,
  known: Iterable<string> = [],
): StructuredError {
  const redactor = createRedactor({ secrets: [...collectSecrets(secretsFrom), ...known] });
  return redactor.redact(toJson(toStructuredError(thrown))) as Json as unknown as StructuredError;
}
