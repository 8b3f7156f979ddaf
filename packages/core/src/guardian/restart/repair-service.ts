import { checkOf } from '../../environment/health/wait-until-ready.js';
import { isTapped } from '../../hooks/is-tapped.js';
import { toStructuredError } from '../../model/to-structured-error.js';
import { pause } from '../../time/pause.js';
import { withTimeLimit } from '../../time/time-limit.js';
import { contextOf, type Guarded, type Watch } from '../guarded.js';
import { isWell } from './restart-service.js';

/** How long plugins may take, in milliseconds: a restart may help as well. */
const limitMs = 30_000;

/** How a service that has no check of argus is looked at, after something was put right. */
const ownHealth = { interval: 1_000, retries: 10 };

/** What was put right, and whether the service is well after that. */
export interface Repaired {
  readonly what: readonly string[];
  readonly isWell: boolean;
}

/** Has plugins put right what keeps a service from being well, without restarting it. Nothing when nobody did anything. */
export async function repairService(
  watch: Watch,
  guarded: Guarded,
  signal: AbortSignal,
): Promise<Repaired | undefined> {
  const { hooks, clock, events } = watch.kernel;
  if (!isTapped(hooks.repairServices)) return undefined;
  const what: string[] = [];
  const repaired = (service: string, message: string) => void what.push(`${service}: ${message}`);
  try {
    await withTimeLimit(clock, limitMs, signal, 'it did not end', (limited) =>
      hooks.repairServices.promise({ ...contextOf(watch, limited), repaired }),
    );
  } catch (thrown) {
    signal.throwIfAborted();
    // A restart is what there is besides, and says for itself whether it helps.
    const message = `could not be repaired: ${toStructuredError(thrown, clock.now()).message}`;
    events.emit('service_state', { service: guarded.name, state: 'failed', message });
  }
  if (what.length === 0) return undefined;
  const { interval, retries } = checkOf(guarded.service) ?? ownHealth;
  for (let left = retries; left > 0; left--) {
    if (await isWell(watch, guarded, signal)) return { what, isWell: true };
    await pause(clock, interval, signal);
  }
  return { what, isWell: false };
}
