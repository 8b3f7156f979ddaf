import { isArgusError } from '../model/argus-error.js';
import { storeUnavailable } from '../model/core-error-codes.js';
import { isErrorOf } from '../model/error-code.js';

/** Whether an error says that a store can be read and nothing can be written to it. */
export function isUnwritable(thrown: unknown): boolean {
  const error = isArgusError(thrown) ? thrown.error : undefined;
  return (
    isErrorOf(error, storeUnavailable) && ['read-only', 'full', 'no-access'].includes(error.details.reason)
  );
}
