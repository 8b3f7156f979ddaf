import { matchesPattern, type RunContext } from '@argusai/core';
import type { ContainerPlace, RunTopology } from '@argusai/plugin-docker';
import { misplacement } from '../placement/misplaced.js';
import { reconnect } from '../placement/reconnect.js';
import type { VerifyParts } from './verify-parts.js';

/**
 * Connects containers of this run that have lost its network, which can only be those that ran already. To start them anew is
 * what would be done otherwise, so it needs no more leave than that; but it is not done where argus may only look, nor to what
 * is never to be touched. Gives those that it has connected, and remembers them.
 */
export async function putBack(
  { client, config: { policy }, reconnected }: VerifyParts,
  topology: RunTopology | undefined,
  { signal }: RunContext,
): Promise<ContainerPlace[]> {
  if (topology === undefined || policy.autonomy === 'observe') return [];
  const done: ContainerPlace[] = [];
  for (const place of topology.containers) {
    const wrong = misplacement(place, topology);
    const isOffLimits = policy.exclude.some((pattern) => matchesPattern(`container:${place.name}`, pattern));
    if (wrong === undefined || isOffLimits) continue;
    await reconnect(client(), topology.network, place, { wrong, signal });
    reconnected.add(place.id);
    done.push(place);
  }
  return done;
}
