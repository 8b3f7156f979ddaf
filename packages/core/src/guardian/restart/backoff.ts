import type { ArgusConfig } from '../../config/schema.js';
import type { Random } from '../../time/random.js';

/** What decides how long a restart waits. */
export type BackoffSettings = Pick<
  ArgusConfig['resilience']['container'],
  'restartDelay' | 'restartBackoff' | 'maxRestartDelay' | 'restartJitter'
>;

/** How long the restart with this number waits, in milliseconds; the first has the number 1. */
export function backoff(
  attempt: number,
  { restartDelay, restartBackoff, maxRestartDelay, restartJitter }: BackoffSettings,
  random: Random,
): number {
  const grown = restartDelay * (restartBackoff === 'linear' ? attempt : 2 ** (attempt - 1));
  const capped = Math.min(grown, maxRestartDelay);
  return Math.round(capped * (1 - restartJitter * random()));
}
