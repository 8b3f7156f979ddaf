import { ArgusError } from '../model/argus-error.js';
import { circuitOpen } from '../model/core-error-codes.js';
import { counted } from '../model/counted.js';
import type { Machine } from './machine.js';

/**
 * The error of a call that is held back. It has no stack: capturing one is most of what such a call costs, and it would
 * point at the circuit, while the reason is the fault that the error tells of.
 */
export function openError(circuit: string, machine: Machine, retryAfterMs: number): ArgusError {
  const { failureCount, history } = machine;
  const last = history.at(-1);
  const { error: lastError = null, timestamp: lastFailureAt = null } = last ?? {};
  const lastCode = last?.code === undefined ? {} : { lastCode: last.code };
  const lastReason = last?.reason === undefined ? {} : { lastReason: last.reason };
  const message =
    machine.state === 'half-open'
      ? `Circuit ${circuit} is half-open: another call is finding out whether it can close`
      : `Circuit ${circuit} is open after ${counted(failureCount, 'failure')} in a row, the last one: ${lastError}`;
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 0;
  try {
    return new ArgusError(circuitOpen, {
      message,
      details: { circuit, failureCount, retryAfterMs, lastError, lastFailureAt, ...lastCode, ...lastReason },
    });
  } finally {
    Error.stackTraceLimit = limit;
  }
}
