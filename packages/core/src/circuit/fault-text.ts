import { toStructuredError } from '../model/to-structured-error.js';

/** How many characters of a fault's message are remembered. */
export const FAULT_TEXT_LIMIT = 300;

/** What is remembered of something thrown: its message, without secrets, cut to a bounded length. */
export function faultText(thrown: unknown, redact: (text: string) => string): string {
  const text = redact(toStructuredError(thrown).message);
  if (text.length <= FAULT_TEXT_LIMIT) return text;
  // A cut through the middle of a character would not survive being stored.
  return `${text.slice(0, FAULT_TEXT_LIMIT - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
