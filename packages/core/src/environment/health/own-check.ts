import { quoted } from '../../model/printable.js';
import type { ServiceState } from '../runtime.js';

/** That an image's own health check has failed: how often in a row, and what it said then, as far as the runtime knows. */
export function ownCheckOf({ healthOutputs = [], details }: ServiceState) {
  const told = details?.healthFailures;
  const tries = typeof told === 'number' && told > 0 ? told : Math.max(healthOutputs.length, 1);
  // What it said before it began to fail is no part of that.
  return { check: "the image's own check", tries, outputs: healthOutputs.slice(-tries).map(quoted) };
}
