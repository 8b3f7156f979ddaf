import type { DockerClient } from '../client/docker-client.js';
import { type EngineSpace, engineSpace, spaceAt } from '../client/engine-space.js';

/**
 * Finds out where the engine keeps its images while a build begins, so that the room there can be looked at in the very
 * moment in which it runs out: when the build has ended, what it had filled the disk with is gone.
 */
export function spaceAtFailure(
  client: DockerClient,
  signal: AbortSignal,
): () => Promise<EngineSpace | undefined> {
  // Only the figures of a message depend on it; what ails the daemon is said by the build itself.
  const before = engineSpace(client, signal).catch(() => undefined);
  return async () => {
    const space = await before;
    return space && spaceAt(space.path);
  };
}
