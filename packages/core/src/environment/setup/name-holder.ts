import { formatPath } from '../../config/path.js';
import { ArgusError, isArgusError } from '../../model/argus-error.js';
import { isErrorOf } from '../../model/error-code.js';
import { pick } from '../../model/pick.js';
import { portConflict } from '../../model/start-error-codes.js';
import type { ServiceSpec } from '../services/service-spec.js';
import { type Protocol, portKey } from '../sockets/port-key.js';
import { describeHolder, type Holder, readSocketTable } from '../sockets/socket-table.js';

/** The services among which a port was lost, and whether they may be given others. */
interface Around {
  readonly services: readonly ServiceSpec[];
  readonly mayMove: boolean;
}

/**
 * Adds to a port that was lost at the start of a service who holds it, where that is to be seen, and what in the configuration keeps the
 * service at this port; to whatever else was thrown, nothing.
 */
export async function nameHolder(thrown: unknown, around: Around, signal: AbortSignal): Promise<unknown> {
  const error = isArgusError(thrown) ? thrown.error : undefined;
  if (!isErrorOf(error, portConflict) || signal.aborted) return thrown;
  const { port, protocol, pid } = error.details;
  const holder = pid === undefined ? await holderOf(port, protocol, signal) : undefined;
  return new ArgusError(portConflict, {
    message: holder ? `${error.message}; ${describeHolder(holder)} holds it` : error.message,
    details: {
      ...whyHere(port, around),
      ...error.details,
      ...(holder ? pick(holder, ['pid', 'command']) : {}),
    },
    cause: thrown,
  });
}

async function holderOf(port: number, protocol: Protocol, signal: AbortSignal): Promise<Holder | undefined> {
  const table = await readSocketTable(new Set([protocol]));
  // Where nobody can look, nobody is named.
  const holders = await table.holders(new Set([portKey({ protocol, port })]), signal).catch(() => []);
  return holders.find(({ pid }) => pid !== undefined);
}

/** That services may not be moved, or that a health check names the port, which moves with nobody. */
function whyHere(port: number, { services, mayMove }: Around) {
  const asked = services.find(({ askedAt }) => askedAt?.host === port);
  if (asked) {
    const { tcp, http } = asked.healthcheck ?? {};
    const key = tcp !== undefined ? 'tcp' : http?.startsWith('/') ? 'port' : 'http';
    return { where: { key: formatPath(['services', asked.name, 'healthcheck', key]) } };
  }
  const key = 'resilience.network.portConflictStrategy';
  return mayMove ? {} : ({ reason: 'not-moved', where: { key, effect: 'not moved', to: 'auto' } } as const);
}
