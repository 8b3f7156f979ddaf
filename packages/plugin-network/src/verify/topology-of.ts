import { isArgusError, type RunContext, type ServiceSpec } from '@argusai/core';
import { type RunTopology, runTopology } from '@argusai/plugin-docker';
import { whereabouts } from './path.js';
import type { VerifyParts } from './verify-parts.js';

/** Where the containers among services stand: one call for all. Nothing when there are none, or the engine could not be asked. */
export async function topologyOf(
  { client, runtimes }: VerifyParts,
  { run, signal }: RunContext,
  services: readonly ServiceSpec[],
): Promise<RunTopology | undefined> {
  const names = services.flatMap((one) => (whereabouts(runtimes, one) === 'container' ? [one.name] : []));
  if (names.length === 0) return undefined;
  try {
    return await runTopology(client(), run, names, signal);
  } catch (thrown) {
    // What ails the engine is for others to say; nothing can be told about connections without it.
    signal.throwIfAborted();
    if (isArgusError(thrown)) return undefined;
    throw thrown;
  }
}
