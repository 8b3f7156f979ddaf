import { isArgusError } from '../model/argus-error.js';
import { toStructuredError } from '../model/to-structured-error.js';
import type { Redactor } from '../redact/redactor.js';
import type { Fault } from './machine.js';

/** How many characters of a fault's message are remembered. */
export const FAULT_TEXT_LIMIT = 300;

/** What is remembered of something thrown: its message, without secrets, cut to a bounded length. */
export function faultText(thrown: unknown, redactor: Pick<Redactor, 'first'>): string {
  return redactor.first(toStructuredError(thrown).message, FAULT_TEXT_LIMIT);
}

/** What is remembered of a fault: its text, and what tells what helps against it. */
export function faultOf(thrown: unknown, redactor: Pick<Redactor, 'first'>): Fault {
  const error = faultText(thrown, redactor);
  if (!isArgusError(thrown)) return { error };
  const { code, details } = thrown.error;
  return { error, code, ...(typeof details.reason === 'string' ? { reason: details.reason } : {}) };
}
