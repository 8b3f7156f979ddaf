import { isArgusError } from '../../model/argus-error.js';
import { isErrorOf } from '../../model/error-code.js';
import { healthCheckTimeout } from '../../model/service-error-codes.js';
import { serviceStartFailed } from '../../model/start-error-codes.js';
import type { HealthSpec } from '../services/service-spec.js';
import { type Waiting, waitUntilReady } from './wait-until-ready.js';

/**
 * Waits until a service is ready, and refuses what anybody else at its port makes look so. Whose answer it is costs a look at all
 * processes, so it is asked when it counts, and now and then while the service does not become well.
 */
export async function waitForItself(waiting: Waiting, refuseStrangers: () => Promise<void>): Promise<void> {
  if (waiting.service.oneShot) return waitUntilReady(waiting);
  let failures = 0;
  const probe = async (check: HealthSpec) => {
    const result = await waiting.probe(check);
    if (result.healthy || result.unknown) return result;
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
    throw thrown;
  }
  await refuseStrangers();
}
