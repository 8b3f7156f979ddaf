import { existsSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import type { StructuredError } from '../model/error-code.js';
import { type Json, type JsonObject, toJson } from '../model/json.js';
import { toStructuredError } from '../model/to-structured-error.js';
import { collectNames } from '../redact/collect-names.js';
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
  const error = toStructuredError(thrown);
  const secrets = [...collectSecrets(secretsFrom), ...known];
  const { config } = Object(secretsFrom) as { config?: unknown };
  const redactor = createRedactor({ secrets, names: [...collectNames(config), ...namesIn(error.details)] });
  return redactor.redact(toJson(error)) as Json as unknown as StructuredError;
}

/** What an error is about, and somebody has to find: a file or a folder that is there, a place in the configuration. */
function namesIn({ problems, ...details }: JsonObject): string[] {
  const files = Object.values(details).filter(
    (one): one is string => typeof one === 'string' && isAbsolute(one) && existsSync(one),
  );
  const places = Array.isArray(problems) ? problems : [];
  return [...files, ...places.flatMap((one) => (isPlace(one) ? [one.path] : []))];
}

function isPlace(one: Json | undefined): one is JsonObject & { path: string } {
  return typeof one === 'object' && one !== null && 'path' in one && typeof one.path === 'string';
}
