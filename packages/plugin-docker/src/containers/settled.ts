import { type Clock, pause } from '@argusai/core';
import type { DockerClient } from '../client/docker-client.js';
import type { ContainerJson } from '../runtime/container-json.js';

/** How often to look, how long a container without a health check must run, and when to stop waiting. */
const times = { look: 250, steady: 1_000, patience: 30_000 };

/**
 * Waits until it can be told how a container that was just started fares: its own health check has come to a result, or
 * it has none and ran for a moment, or it has ended.
 */
export async function settled(
  client: DockerClient,
  id: string,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<void> {
  const begin = clock.monotonic();
  for (;;) {
    const [container] = await client.inspect<ContainerJson>('container', [id], { signal });
    const waited = clock.monotonic() - begin;
    if (!container?.State.Running || waited >= times.patience) return;
    const { Health: health } = container.State;
    if (health ? health.Status !== 'starting' : waited >= times.steady) return;
    await pause(clock, times.look, signal);
  }
}
