import { defineErrorCode } from '@argusai/core';
import * as z from 'zod';
import { answers, daemonReasons } from './client/classify-failure.js';

/** The daemon cannot be used; `reason` says why, `endpoint` where it was looked for. */
export const dockerUnavailable = defineErrorCode({
  code: 'DOCKER_UNAVAILABLE',
  category: 'infrastructure',
  severity: 'fatal',
  summary: 'The Docker daemon cannot be used',
  suggestedActions: ['preflight-check'],
  details: () =>
    z.object({
      reason: z.enum(daemonReasons),
      endpoint: z.string(),
      /** What the client said, where it said something. */
      output: z.string().optional(),
    }),
});

const command = () => ({
  /** The command without its arguments, which may hold secrets. */
  command: z.string(),
  /** What the client said, its last lines. */
  output: z.string(),
});

/** A container, image, network or volume that a command names does not exist. */
export const dockerObjectMissing = defineErrorCode({
  code: 'DOCKER_OBJECT_MISSING',
  category: 'container',
  severity: 'recoverable',
  summary: 'A container, image, network or volume does not exist',
  details: () => z.object(command()),
});

/** Another container, network or volume has the name already. */
export const dockerNameTaken = defineErrorCode({
  code: 'DOCKER_NAME_TAKEN',
  category: 'container',
  severity: 'recoverable',
  summary: 'The name of a container, network or volume is taken',
  suggestedActions: ['orphans.clean'],
  details: () => z.object(command()),
});

/** An image is neither here nor to be had from its registry. */
export const imageUnavailable = defineErrorCode({
  code: 'IMAGE_UNAVAILABLE',
  category: 'container',
  severity: 'fatal',
  summary: 'An image is not to be had',
  details: () =>
    z.object({
      ...command(),
      reason: z.enum(['not-found', 'denied', 'registry-unreachable', 'rate-limited', 'wrong-platform']),
    }),
});

/** A Docker command failed for a reason that has no code of its own. */
export const dockerCommandFailed = defineErrorCode({
  code: 'DOCKER_COMMAND_FAILED',
  category: 'container',
  severity: 'recoverable',
  summary: 'A Docker command failed',
  details: () =>
    z.object({
      ...command(),
      reason: z.enum([...answers, 'timeout']),
      /** Null when the command was ended. */
      exitCode: z.number().nullable(),
    }),
});

const container = () => ({
  container: z.string(),
  id: z.string(),
  service: z.string(),
  runId: z.string(),
  exitCode: z.number().nullable(),
  /** Milliseconds since the epoch. */
  finishedAt: z.number().nullable(),
});

/** A container of this project runs and does not work: its image's health check fails, or it is paused. */
export const containerUnhealthy = defineErrorCode({
  code: 'CONTAINER_UNHEALTHY',
  category: 'container',
  severity: 'recoverable',
  summary: 'A container runs, but is not well',
  suggestedActions: ['docker.restart-container', 'logs'],
  details: () =>
    z.object({
      ...container(),
      status: z.string(),
      /** How often in a row the health check has failed. */
      failures: z.number(),
      /** What the health check said last, oldest first. */
      outputs: z.array(z.string()),
    }),
});

/** Docker keeps much that is in no use; sizes in bytes. */
export const dockerSpaceReclaimable = defineErrorCode({
  code: 'DOCKER_SPACE_RECLAIMABLE',
  category: 'infrastructure',
  severity: 'warning',
  summary: 'Docker keeps much that could be removed',
  suggestedActions: ['docker.prune', 'orphans.clean'],
  details: () =>
    z.object({
      reclaimable: z.number(),
      threshold: z.number(),
      /** By kind: images, containers, volumes, build cache. */
      kinds: z.array(
        z.object({ kind: z.string(), count: z.number(), size: z.number(), reclaimable: z.number() }),
      ),
    }),
});

/** Every code that this plugin declares. */
export const dockerErrorCodes = [
  dockerUnavailable,
  dockerObjectMissing,
  dockerNameTaken,
  imageUnavailable,
  dockerCommandFailed,
  containerUnhealthy,
  dockerSpaceReclaimable,
];
