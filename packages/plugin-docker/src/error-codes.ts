import { configPlace, defineErrorCode } from '@argusai/core';
import * as z from 'zod';
import { answers, daemonReasons } from './client/classify-failure.js';
import { imageReasons } from './client/image-reason.js';

/** The daemon cannot be used; `reason` says why, `endpoint` where it was looked for. */
export const dockerUnavailable = defineErrorCode({
  code: 'DOCKER_UNAVAILABLE',
  category: 'infrastructure',
  severity: 'fatal',
  summary: 'The Docker daemon cannot be used',
  causes: [
    'Docker is not installed, or its daemon does not run.',
    'This user may not use the daemon.',
    'The daemon hangs, or client and daemon are too far apart in age.',
    'DOCKER_HOST or the Docker context leads to the wrong place.',
  ],
  handling: 'After several failures it stops asking for a while; see CIRCUIT_OPEN.',
  remedy: 'Start Docker, or correct what the reason in the details names.',
  remedies: {
    'not-installed': 'Install Docker, or leave the services out that need it.',
    'not-running':
      'Start Docker (Docker Desktop, or systemctl start docker), or correct what says where it is.',
    'no-permission': 'Let this user use Docker: add it to the group docker, and log in again.',
    hung: 'Docker does not answer: restart it.',
    'too-old': 'Update Docker: its client and its daemon are too far apart in age.',
    tls: 'Correct the certificates that the client of Docker uses: DOCKER_CERT_PATH, DOCKER_TLS_VERIFY.',
    misconfigured: 'Correct DOCKER_HOST, DOCKER_CONTEXT or the configuration of the client of Docker.',
    'not-an-engine': 'What answers there is no Docker: correct DOCKER_HOST or the context.',
  },
  suggestedActions: ['preflight-check'],
  details: () =>
    z.object({
      reason: z.enum(daemonReasons).describe('Why it cannot be used'),
      endpoint: z.string().describe('Where the daemon was looked for'),
      where: configPlace().optional().describe('Who says that it is there'),
      output: z.string().optional().describe('What the client said, where it said something'),
    }),
});

const command = () => ({
  command: z.string().describe('The command without its arguments, which may hold secrets'),
  output: z.string().describe('What the client said, its last lines'),
});

/** A container, image, network or volume that a command names does not exist. */
export const dockerObjectMissing = defineErrorCode({
  code: 'DOCKER_OBJECT_MISSING',
  category: 'container',
  severity: 'recoverable',
  summary: 'A container, image, network or volume does not exist',
  causes: ['Somebody has removed a container, image, network or volume that argus needed.'],
  remedy: 'Set the environment up again with argus setup.',
  suggestedActions: ['setup'],
  details: () => z.object(command()),
});

/** Another container, network or volume has the name already. */
export const dockerNameTaken = defineErrorCode({
  code: 'DOCKER_NAME_TAKEN',
  category: 'container',
  severity: 'recoverable',
  summary: 'The name of a container, network or volume is taken',
  causes: ['A container, network or volume of that name is there already, perhaps from an earlier run.'],
  remedy: 'Remove or rename what has the name, if you no longer need it.',
  suggestedActions: ['orphans.clean'],
  details: () => z.object(command()),
});

/** An image is neither here nor to be had from its registry. */
export const imageUnavailable = defineErrorCode({
  code: 'IMAGE_UNAVAILABLE',
  category: 'container',
  severity: 'fatal',
  summary: 'An image is not to be had',
  causes: [
    'The name or the tag of the image is wrong.',
    'The registry wants a login, cannot be reached, or has had too many requests.',
    'There is no image for this kind of machine.',
  ],
  handling: 'It takes down what this setup had started.',
  remedy: 'Correct the name, log in with docker login, or wait, as the reason in the details says.',
  suggestedActions: ['setup'],
  details: () =>
    z.object({
      ...command(),
      reason: z.enum(imageReasons).describe('Why it is not to be had'),
      service: z.string().optional().describe('The service that needs it'),
      image: z.string().optional().describe('The image'),
    }),
});

/** A Docker command failed for a reason that has no code of its own. */
export const dockerCommandFailed = defineErrorCode({
  code: 'DOCKER_COMMAND_FAILED',
  category: 'container',
  severity: 'recoverable',
  summary: 'A Docker command failed',
  causes: [
    'Docker refused a command or could not carry it out; its output says why.',
    'The command was not done in time although the daemon answers.',
  ],
  remedy: 'Read the output in the details and correct that cause.',
  suggestedActions: ['preflight-check'],
  details: () =>
    z.object({
      ...command(),
      reason: z.enum([...answers, 'timeout']).describe('What the client meant, as far as it is known'),
      exitCode: z.number().nullable().describe('Null when the command was ended'),
    }),
});

/** Docker keeps much that is in no use; sizes in bytes. */
export const dockerSpaceReclaimable = defineErrorCode({
  code: 'DOCKER_SPACE_RECLAIMABLE',
  category: 'infrastructure',
  severity: 'warning',
  summary: 'Docker keeps much that could be removed',
  causes: ['Old images, stopped containers, volumes or build cache have piled up.'],
  remedy: 'Run docker system df to see what it is, and docker system prune if you need none of it.',
  suggestedActions: ['docker.prune', 'orphans.clean'],
  details: () =>
    z.object({
      reclaimable: z.number().describe('What could be removed, in bytes'),
      threshold: z.number().describe('From how much on it is told, in bytes'),
      kinds: z
        .array(z.object({ kind: z.string(), count: z.number(), size: z.number(), reclaimable: z.number() }))
        .describe('By kind: images, containers, volumes, build cache'),
    }),
});

/** Every code that this plugin declares. */
export const dockerErrorCodes = [
  dockerUnavailable,
  dockerObjectMissing,
  dockerNameTaken,
  imageUnavailable,
  dockerCommandFailed,
  dockerSpaceReclaimable,
];
