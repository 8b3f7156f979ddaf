import { ArgusError, isArgusError } from '../../model/argus-error.js';
import { isErrorOf } from '../../model/error-code.js';
import { pick } from '../../model/pick.js';
import { portConflict } from '../../model/start-error-codes.js';
import { portKey } from '../sockets/port-key.js';
import { describeHolder, readSocketTable } from '../sockets/socket-table.js';

/** Adds to a port that was lost at the start of a service who holds it, where that is to be seen; to whatever else was thrown, nothing. */
export async function nameHolder(thrown: unknown, signal: AbortSignal): Promise<unknown> {
  const error = isArgusError(thrown) ? thrown.error : undefined;
  if (!isErrorOf(error, portConflict) || error.details.pid !== undefined || signal.aborted) return thrown;
  const { port, protocol } = error.details;
  const table = await readSocketTable(new Set([protocol]));
  const holders = await table.holders(new Set([portKey({ protocol, port })]), signal);
  const holder = holders.find(({ pid }) => pid !== undefined);
  if (!holder) return thrown;
  return new ArgusError(portConflict, {
    message: `${error.message}; ${describeHolder(holder)} holds it`,
    details: { ...error.details, ...pick(holder, ['pid', 'command']) },
    cause: thrown,
  });
}
