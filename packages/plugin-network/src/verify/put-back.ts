import type { RunContext } from '@argusai/core';
import type { ContainerPlace, RunTopology } from '@argusai/plugin-docker';
import { misplacedIn, type NotReconnected } from '../placement/not-reconnected.js';
import { reconnect } from '../placement/reconnect.js';
import type { VerifyParts } from './verify-parts.js';

/** What was connected, and what was not because the policy speaks against it. */
export interface PutBack {
  readonly done: readonly ContainerPlace[];
  readonly refused: readonly NotReconnected[];
}

/**
 * Connects containers of this run that have lost its network, which can only be those that ran already, as far as autonomy and exclusions
 * allow what interrupts. How often it was found before is not asked: somebody has asked for the setup just now. Remembers those that it has
 * connected.
 */
export async function putBack(
  { client, config, reconnected }: VerifyParts,
  topology: RunTopology | undefined,
  { signal }: RunContext,
): Promise<PutBack> {
  if (topology === undefined) return { done: [], refused: [] };
  const { open, refused } = misplacedIn(topology, config);
  for (const { place, wrong } of open) {
    await reconnect(client(), topology.network, place, { wrong, signal });
    reconnected.add(place.id);
  }
  return { done: open.map(({ place }) => place), refused };
}
