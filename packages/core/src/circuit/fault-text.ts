import { toStructuredError } from '../model/to-structured-error.js';
import type { Redactor } from '../redact/redactor.js';

/** How many characters of a fault's message are remembered. */
export const FAULT_TEXT_LIMIT = 300;

/** What is remembered of something thrown: its message, without secrets, cut to a bounded length. */
export function faultText(thrown: unknown, redactor: Pick<Redactor, 'first'>): string {
  return redactor.first(toStructuredError(thrown).message, FAULT_TEXT_LIMIT);
}
