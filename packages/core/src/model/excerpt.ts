import type { Redactor } from '../redact/redactor.js';
import { toJson } from './json.js';

/** How much of a value is shown, in characters. */
const shown = 80;

/** The beginning of a value that is not what it should be, for a message that says so; without secrets, which a cut could make unknowable. */
export function excerpt(value: unknown, redactor: Pick<Redactor, 'first' | 'redact'>): string {
  return redactor.first(JSON.stringify(redactor.redact(toJson(value))), shown + 1);
}
