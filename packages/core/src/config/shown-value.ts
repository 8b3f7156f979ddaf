import { namesCredential, namesCredentialContainer } from '../redact/credential-name.js';
import { createRedactor } from '../redact/redactor.js';

/** How much of a text is shown, in characters. */
const longest = 120;

/** There is no kernel yet that knows secrets by their values. */
const redactor = createRedactor();

type Scalar = string | number | boolean | null;

/** Tells whether any key on a path looks like that of a credential. */
export function isSecretPath(path: readonly PropertyKey[]): boolean {
  return path.some(
    (key) => typeof key === 'string' && (namesCredential(key) || namesCredentialContainer(key)),
  );
}

/** The value at a path of the input. */
export function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined),
    input,
  );
}

/**
 * The value as it may be shown in a problem, if it may. Objects and lists are not: they are long, and what lies in
 * them may be secret.
 */
export function shownValue(value: unknown, path: readonly PropertyKey[]): Scalar | undefined {
  if (isSecretPath(path)) return undefined;
  if (typeof value === 'string') return redactor.first(value, longest);
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  return typeof value === 'boolean' || value === null ? value : undefined;
}

/** Names a value within a sentence: itself if it may be shown, otherwise its kind. */
export function nameOf(value: unknown, path: readonly PropertyKey[]): string {
  const shown = shownValue(value, path);
  if (shown !== undefined) return JSON.stringify(shown);
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : `a list of ${value.length}`;
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
