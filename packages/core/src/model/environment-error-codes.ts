import * as z from 'zod';
import { defineErrorCode } from './error-code.js';

/** A host port that a service or mock asks for is taken. */
export const portConflict = defineErrorCode({
  code: 'PORT_CONFLICT',
  category: 'network',
  severity: 'recoverable',
  summary: 'A port that a service asks for is taken',
  suggestedActions: ['setup', 'status'],
  details: () =>
    z.object({
      service: z.string(),
      port: z.number(),
      protocol: z.enum(['tcp', 'udp']),
      pid: z.number().optional(),
      command: z.string().optional(),
    }),
});

/** What a shortage on a filesystem is reported with. */
export const diskShortage = () =>
  z.object({
    /** What is left for this user, in bytes or whatever is counted. */
    available: z.number(),
    /** What there should be at least. */
    required: z.number(),
    /** The folder that was looked at. */
    path: z.string(),
    /** Where the filesystem begins. */
    mount: z.string().optional(),
    total: z.number().optional(),
    /** Every folder that was looked at on this filesystem, and what it is for. */
    paths: z.array(z.object({ path: z.string(), use: z.string() })).optional(),
  });

/** A filesystem has fewer free bytes than are wanted, or a build has run out of them. */
export const diskSpaceLow = defineErrorCode({
  code: 'DISK_SPACE_LOW',
  category: 'infrastructure',
  severity: 'warning',
  summary: 'Too little free disk space',
  // Names of plugins that may not be loaded, in which case the kernel leaves them out.
  suggestedActions: ['orphans.clean', 'docker.prune'],
  details: diskShortage,
});

/** An image could not be built; the last lines of the build's output are in the details. */
export const buildFailed = defineErrorCode({
  code: 'BUILD_FAILED',
  category: 'container',
  severity: 'fatal',
  summary: 'An image could not be built',
  details: () =>
    z.object({ service: z.string(), exitCode: z.number().nullable(), lines: z.array(z.string()) }),
});

/** A service could not be started: its image or its command does not exist, or it ended at once. */
export const serviceStartFailed = defineErrorCode({
  code: 'SERVICE_START_FAILED',
  category: 'container',
  severity: 'fatal',
  summary: 'A service could not be started',
  suggestedActions: ['logs'],
  details: () =>
    z.object({
      service: z.string(),
      reason: z.enum(['image-missing', 'command-missing', 'exited', 'name-taken', 'failed']),
      exitCode: z.number().nullable().optional(),
      lines: z.array(z.string()).optional(),
    }),
});

/** A service did not become healthy in the time its health check allows. */
export const healthCheckTimeout = defineErrorCode({
  code: 'HEALTH_CHECK_TIMEOUT',
  category: 'container',
  severity: 'recoverable',
  summary: 'A service did not become healthy in time',
  suggestedActions: ['logs', 'setup'],
  details: () =>
    z.object({
      service: z.string(),
      check: z.string(),
      tries: z.number(),
      outputs: z.array(z.string()),
      lines: z.array(z.string()),
    }),
});

/** A service that has ended: a container, or a process of this machine. */
const ended = () => ({
  service: z.string(),
  runId: z.string(),
  /** Null when nobody was there to see how it ended. */
  exitCode: z.number().nullable(),
  /** Milliseconds since the epoch. */
  finishedAt: z.number().nullable(),
  /** The container, where it is one. */
  container: z.string().optional(),
  id: z.string().optional(),
  /** The last lines of its output. */
  lines: z.array(z.string()).optional(),
});

/** A service was killed because it used more memory than it may, by the runtime's own word; sizes in bytes. */
export const containerOom = defineErrorCode({
  code: 'CONTAINER_OOM',
  category: 'container',
  severity: 'recoverable',
  summary: 'A service was killed because it ran out of memory',
  suggestedActions: ['setup', 'docker.restart-container', 'logs'],
  details: () =>
    z.object({
      ...ended(),
      memoryLimit: z.number().nullable(),
      /** Null where the runtime does not know it, or not any more. */
      memoryPeak: z.number().nullable(),
    }),
});

/** A service has ended, although it is meant to run or to end well. */
export const containerCrash = defineErrorCode({
  code: 'CONTAINER_CRASH',
  category: 'container',
  severity: 'recoverable',
  summary: 'A service ended unexpectedly',
  suggestedActions: ['setup', 'docker.restart-container', 'logs'],
  details: () =>
    z.object({
      ...ended(),
      status: z.string(),
      /** What the runtime says about it. */
      reason: z.string().optional(),
      /** The signal that ended it. */
      signal: z.string().optional(),
    }),
});

/** A service was restarted, or is to be, because one was that it is configured to be restarted with. */
export const dependencyRestarted = defineErrorCode({
  code: 'DEPENDENCY_RESTARTED',
  category: 'container',
  severity: 'warning',
  summary: 'A service is restarted with another one',
  suggestedActions: ['logs'],
  details: () =>
    z.object({
      service: z.string(),
      /** The service that it is restarted with. */
      with: z.string(),
      /** All that were restarted before it, the first of them because it failed. */
      path: z.array(z.string()),
      /** The failure of that first one: a structured error. */
      cause: z.record(z.string(), z.json().optional()),
    }),
});

/** A service failed again and again; `details.history` tells of each restart and what was seen before it. */
export const containerRestartExhausted = defineErrorCode({
  code: 'CONTAINER_RESTART_EXHAUSTED',
  category: 'container',
  severity: 'fatal',
  summary: 'A service fails again and again and is restarted no more',
  suggestedActions: ['logs', 'setup'],
  details: () =>
    z.object({
      service: z.string(),
      runId: z.string(),
      /** How often it was restarted. */
      attempts: z.number(),
      /** Which limit was met. */
      limit: z.enum(['max-restarts', 'storm-limit']),
      /** So many restarts may there be in so many milliseconds; only where that limit was met. */
      stormLimit: z.object({ max: z.number(), per: z.number() }).optional(),
      /** The restarts that this limit has counted, with the reason where it is known; milliseconds since the epoch. */
      counted: z.array(z.object({ at: z.number(), reason: z.string().nullable() })).optional(),
      /** How it fails: `crash-loop`, `out-of-memory-loop`, `health-loop`, or `mixed`. */
      pattern: z.string(),
      /** The code and the message of the last failure. */
      cause: z.object({ code: z.string(), message: z.string() }),
      history: z.array(z.record(z.string(), z.json().optional())),
    }),
});

/** Something that a run left behind, or that was to be taken down, could not be removed. */
export const cleanupFailed = defineErrorCode({
  code: 'CLEANUP_FAILED',
  category: 'infrastructure',
  severity: 'recoverable',
  summary: 'A resource could not be removed',
  suggestedActions: ['orphans.clean', 'clean'],
  details: () => z.object({ type: z.string(), name: z.string(), id: z.string(), reason: z.string() }),
});

/** Another setup of the same project folder is at work. */
export const setupInProgress = defineErrorCode({
  code: 'SETUP_IN_PROGRESS',
  category: 'system',
  severity: 'recoverable',
  summary: 'Another setup of this project is at work',
  suggestedActions: ['status'],
  details: () => z.object({ runId: z.string(), pid: z.number(), host: z.string() }),
});

/** No loaded plugin can run a service of this kind. */
export const runtimeMissing = defineErrorCode({
  code: 'RUNTIME_MISSING',
  category: 'system',
  severity: 'fatal',
  summary: 'No loaded plugin can run this service',
  details: () => z.object({ service: z.string(), needs: z.string() }),
});

/** Codes that more than one plugin raises, so that core declares them. */
export const environmentErrorCodes = [
  portConflict,
  diskSpaceLow,
  buildFailed,
  serviceStartFailed,
  healthCheckTimeout,
  containerOom,
  containerCrash,
  dependencyRestarted,
  containerRestartExhausted,
  cleanupFailed,
  setupInProgress,
  runtimeMissing,
];
