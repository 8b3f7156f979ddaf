import { ArgusError, type RunContext, type ServiceSpec, serviceStartFailed } from '@argusai/core';
import type { DockerClient } from '../client/docker-client.js';
import { askDocker } from './ask-docker.js';
import { imageOf } from './names.js';
import { linesOf } from './start-failure.js';

/** Images are large and lines are slow. */
const limitMs = 1_800_000;

/** Gets the image of a service that is not on the engine. */
export async function pullImage(
  client: DockerClient,
  service: ServiceSpec,
  context: RunContext,
): Promise<void> {
  const { events, signal } = context;
  const image = imageOf(service, context.project);
  events.emit('service_state', { service: service.name, state: 'starting', message: `Pulling ${image}` });
  const answer = await askDocker(client, ['pull', '--quiet', image], { signal, timeoutMs: limitMs });
  if (answer.exitCode === 0) return;
  const lines = linesOf(answer.stderr);
  const said = lines.at(-1) ?? `exit code ${answer.exitCode}`;
  throw new ArgusError(serviceStartFailed, {
    message: `The image ${image} of ${service.name} is not here and cannot be pulled: ${said}`,
    details: { service: service.name, reason: 'image-missing', exitCode: answer.exitCode, lines },
  });
}
