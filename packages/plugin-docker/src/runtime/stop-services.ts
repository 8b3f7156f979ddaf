import { argumentList, type RunIdentity } from '@argusai/core';
import type { DockerClient } from '../client/docker-client.js';
import { askDocker } from './ask-docker.js';
import { inspectServices } from './inspect-services.js';

/** How long the engine may take beside the time that the containers have. */
const limitMs = 60_000;

/** Ends containers of a run and leaves them where they are, to be started again with what they wrote. */
export async function stopServices(
  client: DockerClient,
  run: RunIdentity,
  services: readonly string[],
  { graceMs, signal }: { readonly graceMs: number; readonly signal: AbortSignal },
): Promise<void> {
  const states = await inspectServices(client, run, services, signal);
  const ids = states.flatMap(({ status, id }) => (status === 'running' && id !== undefined ? [id] : []));
  if (ids.length === 0) return;
  const seconds = Math.ceil(graceMs / 1000);
  const args =
    seconds === 0 ? argumentList(['kill'], {}, ids) : argumentList(['stop', `-t=${seconds}`], {}, ids);
  const { exitCode } = await askDocker(client, args, { signal, timeoutMs: graceMs + limitMs });
  if (exitCode === 0) return;
  const left = await inspectServices(client, run, services, signal);
  const running = left.filter(({ status }) => status === 'running').map(({ service }) => service);
  if (running.length > 0) throw new Error(`Docker could not stop ${running.join(', ')}`);
}
