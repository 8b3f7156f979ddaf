import { ArgusError, isArgusError } from '../../model/argus-error.js';
import { isErrorOf } from '../../model/error-code.js';
import { portConflict } from '../../model/start-error-codes.js';
import { portKey } from '../sockets/port-key.js';
import { readSocketTable } from '../sockets/socket-table.js';

/** Adds to a port that was lost at the start of a service who holds it, where that is to be seen; to whatever else was thrown, nothing. */
export async function nameHolder(thrown: unknown, signal: AbortSignal): Promise<unknown> {
  const error = isArgusError(thrown) ? thrown.error : undefined;
  if (!isErrorOf(error, portConflict) || error.details.pid !== undefined || signal.aborted) return thrown;
  const { port, protocol } = error.details;
  const table = await readSocketTable(new Set([protocol]));
  const holders = await table.holders(new Set([portKey({ protocol, port })]), signal);
  const { pid, command } = holders.find((one) => one.pid !== undefined) ?? {};
  if (pid === undefined) return thrown;
  const who = command === undefined ? `process ${pid}` : `process ${pid} (${command})`;
  return new ArgusError(portConflict, {
    message: `${error.message}; ${who} holds it`,
    details: { ...error.details, pid, ...(command === undefined ? {} : { command }) },
    cause: thrown,
  });
}
