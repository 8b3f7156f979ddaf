import { lookAtRecorded, type PluginContext, type RunRecord, type Sight } from '@argusai/core';
import { recordedPort } from './resolve/port-of-run.js';
import type { Wish } from './wish.js';

/** The port that a live run of this folder has for a wish, and what is known of the service. */
export interface OwnPort {
  readonly port: number;
  /** `starting`: its run is being started or stopped, so that it may not be there yet, or any more. */
  readonly service: 'running' | 'starting' | { readonly unseen: string };
}

/**
 * The ports that live runs of this folder have for wishes. One whose service has ended or is gone has let go of its port, which
 * anybody may have taken since.
 */
export async function ownPorts(
  wishes: readonly Wish[],
  runs: readonly RunRecord[],
  parts: Pick<PluginContext, 'runtimes' | 'clock'>,
  signal: AbortSignal,
): Promise<Map<Wish, OwnPort>> {
  const own = new Map<Wish, OwnPort>();
  for (const run of runs) {
    const noted = wishes.flatMap((wish) => {
      const port = own.has(wish) ? undefined : recordedPort(wish, run);
      return port === undefined ? [] : [{ wish, port }];
    });
    if (noted.length === 0) continue;
    const sights = run.state === 'up' ? await lookAtRecorded(parts, run, signal) : undefined;
    for (const { wish, port } of noted) {
      const service = sights ? seen(sights.get(wish.service)) : 'starting';
      if (service !== undefined) own.set(wish, { port, service });
    }
  }
  return own;
}

function seen(sight: Sight | undefined): OwnPort['service'] | undefined {
  if (sight === undefined) return undefined;
  if ('failure' in sight) return { unseen: sight.failure };
  return sight.status === 'running' ? 'running' : undefined;
}
