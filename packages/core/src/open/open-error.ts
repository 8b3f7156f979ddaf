import type { StructuredError } from '../model/error-code.js';
import { type Json, toJson } from '../model/json.js';
import { toStructuredError } from '../model/to-structured-error.js';
import { collectSecrets } from '../redact/collect-secrets.js';
import { createRedactor } from '../redact/redactor.js';

/** Makes what was thrown before there is a kernel fit to be shown: with a code, and without the secrets of where it came from. */
export function openError(thrown: unknown, secretsFrom: unknown): StructuredError {
  const redactor = createRedactor({ secrets: collectSecrets(secretsFrom) });
  return redactor.redact(toJson(toStructuredError(thrown))) as Json as unknown as StructuredError;
}
