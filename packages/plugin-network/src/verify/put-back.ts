import { matchesPattern, type RunContext } from '@argusai/core';
import { misplacement } from '../placement/misplaced.js';
import { reconnect } from '../placement/reconnect.js';
import type { Survey } from './survey.js';
import type { VerifyParts } from './verify-parts.js';

/**
 * Connects containers of this run that have lost its network, which can only be those that were kept from an earlier setup.
 * To start them anew is what a setup would do otherwise, so it needs no more leave than that; but it is not done where
 * argus may only look, nor to what is never to be touched. Gives the services.
 */
export async function putBack(
  { client, config: { policy } }: VerifyParts,
  { topology }: Survey,
  { signal }: RunContext,
): Promise<string[]> {
  if (topology === undefined || policy.autonomy === 'observe') return [];
  const done: string[] = [];
  for (const place of topology.containers) {
    const wrong = misplacement(place, topology);
    const isOffLimits = policy.exclude.some((pattern) => matchesPattern(`container:${place.name}`, pattern));
    if (wrong === undefined || isOffLimits) continue;
    await reconnect(client(), topology.network, place, { wrong, signal });
    done.push(place.service);
  }
  return done;
}
