import { ArgusError, argumentList, quoted, type RunContext, type ServiceSpec } from '@argusai/core';
import { classifyFailure } from '../client/classify-failure.js';
import { outOfSpace } from '../client/engine-space.js';
import { type ImageReason, imageReasonOf } from '../client/image-reason.js';
import { imageUnavailable } from '../error-codes.js';
import { askDocker } from './ask-docker.js';
import type { DockerParts } from './docker-parts.js';
import { imageOf } from './names.js';
import { linesOf } from './start-failure.js';

/** Images are large and lines are slow. */
const limitMs = 1_800_000;

/** Gets the image of a service that is not on the engine. */
export async function pullImage(
  { client, diskSpaceThreshold }: DockerParts,
  service: ServiceSpec,
  context: RunContext,
): Promise<void> {
  const { events, signal } = context;
  const image = imageOf(service, context.project);
  events.emit('service_state', { service: service.name, state: 'starting', message: `Pulling ${image}` });
  const { exitCode, stderr } = await askDocker(client, argumentList(['pull'], { quiet: true }, [image]), {
    signal,
    timeoutMs: limitMs,
  });
  if (exitCode === 0) return;
  const failure = classifyFailure({ stderr });
  const answer = failure.kind === 'answer' ? failure.answer : 'failed';
  if (answer === 'no-space') {
    throw await outOfSpace(client, { required: diskSpaceThreshold, what: `The pull of ${image}`, signal });
  }
  const reason = imageReasonOf(answer);
  const lines = linesOf(stderr);
  const output = lines.join('\n') || `exit code ${exitCode}`;
  const last = lines.at(-1);
  throw new ArgusError(imageUnavailable, {
    message: `The image ${image} of ${service.name} is not on this engine, and ${why(reason, last === undefined ? output : quoted(last))}`,
    details: { command: 'docker pull', output, reason, service: service.name, image },
  });
}

function why(reason: ImageReason, said: string): string {
  switch (reason) {
    case 'not-found':
      return 'its registry does not have it, or only for those who have logged in';
    case 'denied':
      return 'its registry does not give it to this user';
    case 'registry-unreachable':
      return 'its registry cannot be reached';
    case 'rate-limited':
      return 'its registry has had too many requests from here';
    case 'wrong-platform':
      return 'its registry has none for this kind of machine';
    case 'invalid-name':
      return 'that is not the name of an image';
    case 'failed':
      return `cannot be pulled: ${said}`;
  }
}
