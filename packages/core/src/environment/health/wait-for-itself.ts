import { ArgusError, isArgusError } from '../../model/argus-error.js';
import { isErrorOf } from '../../model/error-code.js';
import { healthCheckTimeout } from '../../model/service-error-codes.js';
import { portConflict, serviceStartFailed } from '../../model/start-error-codes.js';
import { isContainer } from '../is-container.js';
import type { HealthSpec, ServiceSpec } from '../services/service-spec.js';
import { type Waiting, waitUntilReady } from './wait-until-ready.js';

/**
 * Waits until a service is ready, and refuses what anybody else at its port makes look so. Whose answer it is costs a look at all
 * processes, so it is asked when it counts, and now and then while the service does not become well.
 */
export async function waitForItself(waiting: Waiting, refuseStrangers: () => Promise<void>): Promise<void> {
  if (waiting.service.oneShot) return waitUntilReady(waiting);
  let failures = 0;
  let isLooked = false;
  const probe = async (check: HealthSpec) => {
    const result = await waiting.probe(check);
    if (result.unknown) return result;
    if (result.healthy) {
      // A command asks whom it likes, and a container has its port before it runs.
      if (check.command !== undefined || isContainer(waiting.service)) return result;
      await refuseStrangers();
      isLooked = true;
      // Who answered may have been gone before the look: whoever only tries whether a port is free holds it for an instant.
      return waiting.probe(check);
    }
    failures += 1;
    if (Number.isInteger(Math.log2(failures))) await refuseStrangers();
    return result;
  };
  try {
    await waitUntilReady({ ...waiting, probe });
  } catch (thrown) {
    // Who took the port is why it has ended, or why nothing is heard of it.
    const error = isArgusError(thrown) ? thrown.error : undefined;
    if (isErrorOf(error, serviceStartFailed) || isErrorOf(error, healthCheckTimeout)) await refuseStrangers();
    const lost = isErrorOf(error, serviceStartFailed) && lostPort(waiting.service, error.details.lines);
    if (!lost) throw thrown;
    const { name: service } = waiting.service;
    const message = `The port ${lost.port} of ${service} was taken before it could listen there`;
    throw new ArgusError(portConflict, { message, details: { service, ...lost }, cause: thrown });
  }
  if (!isLooked) await refuseStrangers();
}

/** The port that a service has not got by its own last words. Whoever had it may be gone by now. */
function lostPort({ ports }: ServiceSpec, lines: readonly string[] = []) {
  const complaints = lines.filter((line) => /EADDRINUSE|address already in use/i.test(line));
  const found = ports.find(
    ({ host }) => host !== null && complaints.some((line) => line.match(/\d+/g)?.includes(String(host))),
  );
  return found?.host ? { port: found.host, protocol: found.protocol } : undefined;
}
