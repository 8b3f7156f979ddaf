import { argumentList, isArgusError } from '@argusai/core';
import type { ContainerPlace, DockerClient } from '@argusai/plugin-docker';
import type { Misplacement } from './misplaced.js';

/** Takes a while where the engine is busy. */
const timeoutMs = 30_000;

/** Connects a container to the network of its run, under the name of its service. */
export async function reconnect(
  client: DockerClient,
  network: string,
  { id, service }: Pick<ContainerPlace, 'id' | 'service'>,
  { wrong, signal }: { readonly wrong: Misplacement; readonly signal: AbortSignal },
): Promise<void> {
  // The name of an endpoint cannot be changed, so it is made anew.
  if (wrong === 'nameless')
    await client.run(argumentList(['network', 'disconnect'], {}, [network, id]), { signal, timeoutMs });
  try {
    await client.run(argumentList(['network', 'connect'], { alias: service }, [network, id]), {
      signal,
      timeoutMs,
    });
  } catch (thrown) {
    // Somebody else was quicker: what was wanted is the case.
    if (!isArgusError(thrown) || !/already exists in network/i.test(thrown.message)) throw thrown;
  }
}
