import { argumentList, type Disturbance, type RunIdentity } from '@argusai/core';
import type { DockerClient } from '../client/docker-client.js';
import { inspectServices } from './inspect-services.js';

const commands = { kill: 'kill', pause: 'pause', resume: 'unpause' } as const satisfies Record<
  Disturbance,
  string
>;

/** Harms the container of a service from outside. One that has ended, or is not paused any more, is left alone. */
export async function disturbService(
  client: DockerClient,
  run: RunIdentity,
  service: string,
  how: Disturbance,
  signal: AbortSignal,
): Promise<void> {
  const [state] = await inspectServices(client, run, [service], signal);
  if (state?.status !== 'running' || state.id === undefined) return;
  if (how === 'resume' && !state.paused) return;
  await client.run(argumentList([commands[how]], {}, [state.id]), { signal, service });
}
