import * as z from 'zod';
import { defineErrorCode } from './error-code.js';
import type { JsonObject } from './json.js';

/** A host port that a service or mock asks for is taken. */
export const portConflict = defineErrorCode({
  code: 'PORT_CONFLICT',
  category: 'network',
  severity: 'recoverable',
  summary: 'A port that a service asks for is taken',
  causes: [
    'Another program, another project or another run holds the port.',
    'Two services of this project ask for the same port.',
    'A run of this project was killed, and what it left behind still holds the port.',
  ],
  handling: 'Unless resilience.network.portConflictStrategy is fail, setup gives the service another port.',
  remedy: 'Stop the program that holds the port, or ask for another one in the configuration.',
  // Another port always helps, to clean up only where a dead run holds it; then the kernel puts that first.
  suggestedActions: ['setup', 'orphans.clean', 'status'],
  details: () =>
    z.object({
      service: z.string().describe('The service or mock that asks for it'),
      port: z.number().describe('The port'),
      protocol: z.enum(['tcp', 'udp']).describe('How the port is used'),
      pid: z.number().optional().describe('The process that holds it, where that can be told'),
      command: z.string().optional().describe('What that process runs'),
      orphan: z.string().optional().describe('What it is, when a dead run of this project left it behind'),
    }),
});

/** What a shortage on a filesystem is reported with. */
export const diskShortage = () =>
  z.object({
    available: z.number().describe('What is left for this user, in bytes or whatever is counted'),
    required: z.number().describe('What there should be at least'),
    unit: z.enum(['bytes', 'inodes']).optional().describe('What is counted'),
    path: z.string().describe('The folder that was looked at'),
    mount: z.string().optional().describe('Where the filesystem begins'),
    total: z.number().optional().describe('What there is in all'),
    paths: z
      .array(z.object({ path: z.string(), use: z.string() }))
      .optional()
      .describe('Every folder that was looked at on this filesystem, and what it is for'),
  });

/** A filesystem has fewer free bytes than are wanted, or a build has run out of them. */
export const diskSpaceLow = defineErrorCode({
  code: 'DISK_SPACE_LOW',
  category: 'infrastructure',
  severity: 'warning',
  summary: 'Too little free disk space',
  causes: [
    'Less is free than resilience.preflight.diskSpaceThreshold or the option threshold of the plugin disk asks for.',
    'A Docker command or a build ran out of space.',
    'There was no room for what argus keeps of a service.',
  ],
  remedy:
    'Remove what you do not need, such as old images and build caches, lower the threshold, or have the state kept on another disk (ARGUS_STATE_DIR).',
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
  causes: [
    'A step of the Dockerfile failed.',
    'The Dockerfile or the build context is not where the configuration says.',
  ],
  remedy: 'Read the last lines of the output, correct the Dockerfile or the sources, and build again.',
  details: () =>
    z.object({
      service: z.string().describe('Whose image it is'),
      exitCode: z.number().nullable().describe('Null when the build was ended'),
      lines: z.array(z.string()).describe('The last lines of the output'),
    }),
});

/** A service could not be started: its command does not exist, or it ended at once. */
export const serviceStartFailed = defineErrorCode({
  code: 'SERVICE_START_FAILED',
  category: 'container',
  severity: 'fatal',
  summary: 'A service could not be started',
  causes: [
    'The command does not exist, or the image that was built is gone.',
    'The service ended before it was ready.',
    'Something else has the name of its container, network or volume.',
    'Its command cannot be understood.',
  ],
  handling: 'It takes down what this setup had started.',
  remedy: 'Read the last lines of its output, and correct the service or its configuration.',
  suggestedActions: ['logs', 'setup'],
  details: () =>
    z.object({
      service: z.string().describe('The service'),
      reason: z
        .enum(['image-missing', 'command-missing', 'exited', 'name-taken', 'failed'])
        .describe('Why it did not start'),
      exitCode: z.number().nullable().optional().describe('How it ended, if it did'),
      lines: z.array(z.string()).optional().describe('The last lines of its output'),
    }),
});

/** A service did not become healthy in the time its health check allows. */
export const healthCheckTimeout = defineErrorCode({
  code: 'HEALTH_CHECK_TIMEOUT',
  category: 'container',
  severity: 'recoverable',
  summary: 'A service is not healthy, or did not become so in time',
  causes: [
    'The service needs longer to start than its health check allows.',
    'It listens on another port or path than the health check asks.',
    'It hangs, or waits for something that it cannot reach.',
    'Somebody has paused it.',
  ],
  handling:
    'A setup takes down what it had started. A guardian restarts a service that was well before, unless autonomy is observe or cautious.',
  remedy:
    'Read its last lines; give it more startPeriod or retries, or correct what the health check asks. Continue one that is paused.',
  suggestedActions: ['logs', 'setup'],
  details: () =>
    z.object({
      service: z.string().describe('The service'),
      check: z.string().describe('What was asked of it'),
      tries: z.number().describe('How often it was asked'),
      outputs: z.array(z.string()).describe('What the last tries gave'),
      lines: z.array(z.string()).describe('The last lines of its output'),
      container: z.string().optional().describe('The container, where it is one'),
      id: z.string().optional().describe('The id of the container, where it is one'),
      diagnosis: (z.record(z.string(), z.json()) as z.ZodType<JsonObject>)
        .optional()
        .describe(
          'What plugins found out about it, such as network and dns; gap says why there may be more to know',
        ),
    }),
});

/** Helps only where there is a container; the kernel leaves it out where there is none. */
export const restartContainer = 'docker.restart-container';

/** A service that has ended: a container, or a process of this machine. */
const ended = () => ({
  service: z.string().describe('The service'),
  runId: z.string().describe('The run that it belongs to'),
  exitCode: z.number().nullable().describe('Null when nobody was there to see how it ended'),
  finishedAt: z.number().nullable().describe('Milliseconds since the epoch'),
  container: z.string().optional().describe('The container, where it is one'),
  id: z.string().optional().describe('The id of the container, where it is one'),
  lines: z.array(z.string()).optional().describe('The last lines of its output'),
});

/** A service was killed because it used more memory than it may, by the runtime's own word; sizes in bytes. */
export const containerOom = defineErrorCode({
  code: 'CONTAINER_OOM',
  category: 'container',
  severity: 'recoverable',
  summary: 'A service was killed because it ran out of memory',
  causes: ['The service, or a process that it started, used more memory than its limit.'],
  handling: 'A guardian restarts it, unless autonomy is observe or cautious.',
  remedy: 'Raise memory in the configuration of the service, or make it use less.',
  suggestedActions: ['setup', restartContainer, 'logs'],
  details: () =>
    z.object({
      ...ended(),
      memoryLimit: z.number().nullable().describe('How many bytes it may use, where there is a limit'),
      memoryPeak: z
        .number()
        .nullable()
        .describe('The limit, because it was killed for having reached that; null where there is none'),
    }),
});

/** A service has ended, although it is meant to run or to end well. */
export const containerCrash = defineErrorCode({
  code: 'CONTAINER_CRASH',
  category: 'container',
  severity: 'recoverable',
  summary: 'A service ended unexpectedly',
  causes: [
    'The service ended with an error, or was killed.',
    'It ended well, but is not declared with oneShot.',
    'Its container could not be started.',
  ],
  handling: 'A guardian restarts it, unless autonomy is observe or cautious.',
  remedy: 'Read its last lines and correct the cause. Set oneShot if it is meant to end.',
  suggestedActions: ['setup', restartContainer, 'logs'],
  details: () =>
    z.object({
      ...ended(),
      status: z.string().describe('The state that it is in'),
      reason: z.string().optional().describe('What the runtime says about it'),
      signal: z.string().optional().describe('The signal that ended it'),
    }),
});

/** A service was restarted, or is to be, because one was that it is configured to be restarted with. */
export const dependencyRestarted = defineErrorCode({
  code: 'DEPENDENCY_RESTARTED',
  category: 'container',
  severity: 'warning',
  summary: 'A service is restarted with another one',
  causes: ['A service that it names in restartWith was restarted.'],
  handling: 'A guardian restarts it after the other one, between two suites while tests run.',
  remedy: 'Look at why the other service failed; this one is well.',
  suggestedActions: ['logs'],
  details: () =>
    z.object({
      service: z.string().describe('The service'),
      with: z.string().describe('The service that it is restarted with'),
      path: z.array(z.string()).describe('All that were restarted before it, the first because it failed'),
      cause: z
        .record(z.string(), z.json().optional())
        .describe('The failure of that first one: a structured error'),
    }),
});

/** An environment that is up was to be guarded, and whoever guarded it is gone. */
export const guardianGone = defineErrorCode({
  code: 'GUARDIAN_GONE',
  category: 'infrastructure',
  severity: 'warning',
  summary: 'Nobody guards an environment that was to be guarded',
  causes: ['The process of the guardian was killed, or the machine was started anew.'],
  handling: 'A setup of an environment that was guarded starts another guardian.',
  remedy: 'Start another with argus setup --guard; until then nothing that fails is restarted.',
  suggestedActions: ['setup'],
  details: () =>
    z.object({
      runId: z.string().describe('The run that nobody guards'),
      pid: z.number().describe('The process that guarded it'),
      host: z.string().describe('The machine that it was on'),
    }),
});

/** A service failed again and again; `details.history` tells of each restart and what was seen before it. */
export const containerRestartExhausted = defineErrorCode({
  code: 'CONTAINER_RESTART_EXHAUSTED',
  category: 'container',
  severity: 'fatal',
  summary: 'A service fails again and again and is restarted no more',
  causes: [
    'The service failed again after as many restarts as resilience.container.maxRestarts allows.',
    'It was restarted more often than resilience.container.stormLimit allows.',
  ],
  handling: 'It restarts the service no more, and keeps what was seen before each restart.',
  remedy: 'Read the history in the details, correct the cause, and set the environment up again.',
  suggestedActions: ['incidents', 'logs', 'setup'],
  details: () =>
    z.object({
      service: z.string().describe('The service'),
      runId: z.string().describe('The run that it belongs to'),
      attempts: z.number().describe('How often it was restarted'),
      limit: z.enum(['max-restarts', 'storm-limit']).describe('Which limit was met'),
      stormLimit: z
        .object({ max: z.number(), per: z.number() })
        .optional()
        .describe('So many restarts may there be in so many milliseconds; where that limit was met'),
      counted: z
        .array(z.object({ at: z.number(), reason: z.string().nullable() }))
        .optional()
        .describe('The restarts that this limit has counted: when, in milliseconds since the epoch, and why'),
      pattern: z
        .string()
        .describe('How it fails: `crash-loop`, `out-of-memory-loop`, `health-loop`, or `mixed`'),
      cause: z
        .object({ code: z.string(), message: z.string() })
        .describe('The code and the message of the last failure'),
      history: z
        .array(z.record(z.string(), z.json().optional()))
        .describe('Each restart, with the evidence that was kept before it'),
    }),
});

/** Something that a run left behind, or that was to be taken down, could not be removed. */
export const cleanupFailed = defineErrorCode({
  code: 'CLEANUP_FAILED',
  category: 'infrastructure',
  severity: 'recoverable',
  summary: 'A resource could not be removed',
  causes: [
    'The resource is still in use, for example by a container that argus did not make.',
    'Docker or the system refused to remove it.',
    'The removal was cancelled.',
  ],
  handling: 'It leaves the resource as it is and goes on with the others.',
  remedy: 'Read the reason, mend that cause, and clean again.',
  suggestedActions: ['orphans.clean', 'clean'],
  details: () =>
    z.object({
      type: z.string().describe('What it is: a container, a network, a volume, a process'),
      name: z.string().describe('Its name'),
      id: z.string().describe('Its id'),
      reason: z.string().describe('Why it could not be removed'),
    }),
});

/** Another setup of the same project folder is at work. */
export const setupInProgress = defineErrorCode({
  code: 'SETUP_IN_PROGRESS',
  category: 'system',
  severity: 'recoverable',
  summary: 'Another setup of this project is at work',
  causes: ['Another process is starting or stopping the environment of this folder.'],
  remedy: 'Wait until that process is done, or end it.',
  suggestedActions: ['status'],
  details: () =>
    z.object({
      runId: z.string().describe('The run that is being started or stopped'),
      pid: z.number().describe('The process that does it'),
      host: z.string().describe('The machine of that process'),
    }),
});

/** Somebody has taken the environment down while tests used it. */
export const environmentRemoved = defineErrorCode({
  code: 'ENVIRONMENT_REMOVED',
  category: 'system',
  severity: 'recoverable',
  summary: 'The environment was taken down while tests used it',
  causes: ['Somebody called clean in this folder while the tests ran.'],
  handling: 'The suite that ran comes to its end, no other begins, and the tests count as failed.',
  remedy: 'Run the tests again.',
  suggestedActions: ['run'],
  details: () =>
    z.object({
      runId: z.string().describe('The run that was taken down'),
      suite: z.string().nullable().describe('The suite that ran; null when none had begun'),
      notRun: z.array(z.string()).describe('The suites that did not run'),
    }),
});

/** No loaded plugin can run a service of this kind. */
export const runtimeMissing = defineErrorCode({
  code: 'RUNTIME_MISSING',
  category: 'system',
  severity: 'fatal',
  summary: 'No loaded plugin can run this service',
  causes: ['The configuration names plugins, and the one that runs this kind of service is not among them.'],
  remedy: 'Add the plugin that the details name to plugins in the configuration.',
  details: () =>
    z.object({
      service: z.string().describe('The service'),
      needs: z.string().describe('The plugin or the runtime that it needs'),
    }),
});

/** Something of this project is there, and nobody knows any more whether its run goes on. */
export const runRecordLost = defineErrorCode({
  code: 'RUN_RECORD_LOST',
  category: 'infrastructure',
  severity: 'warning',
  summary: 'The record of a run was lost, and something of it is still there',
  causes: ['The state file was damaged or removed while the environment was up, and a new one was begun.'],
  handling: 'It removes nothing of it by itself, because somebody may still work with it.',
  remedy: 'Run argus clean in the folder of the run, or name it to argus clean-foreign; then set up again.',
  suggestedActions: ['clean', 'clean-foreign'],
  details: () =>
    z.object({
      project: z.string().describe('The project whose it is'),
      runId: z.string().describe('The run that made it'),
      worktree: z.string().describe('The folder that the run was started in'),
      run: z.string().optional().describe('What argus clean --run takes, when it is of this folder'),
      names: z.array(z.string()).optional().describe('What argus clean-foreign knows it by'),
      type: z
        .enum(['container', 'network', 'volume', 'process'])
        .optional()
        .describe('What kind of thing it is, when it is about one'),
      name: z.string().optional().describe('What it is called'),
      id: z.string().optional().describe('What its runtime knows it by'),
      createdAt: z.string().optional().describe('In ISO format'),
      runtime: z.string().optional().describe('The runtime that has it, `docker` or `process`'),
      service: z.string().optional().describe('The service that it is of, if of one'),
    }),
});

/** A run of this folder has another project's name: it was renamed, or the folder has two configurations. */
export const runOfOtherName = defineErrorCode({
  code: 'RUN_OF_OTHER_NAME',
  category: 'infrastructure',
  severity: 'warning',
  summary: 'Something was set up in this folder under another project name',
  causes: [
    'The project was renamed in the configuration, or the name of its folder has changed, while it was up.',
    'The folder has two configurations, of which another was used.',
  ],
  handling:
    'It leaves it alone, because nobody can tell a project that was renamed from two that share a folder.',
  remedy: 'Look at it with argus status --run and its number, and take it down with argus clean --run.',
  suggestedActions: ['status', 'clean'],
  details: () =>
    z.object({
      run: z.string().describe('The number of the run'),
      project: z.string().describe('The name that it was set up under'),
      worktree: z.string().describe('The folder that the run was started in'),
      state: z.string().describe('What its record says of it: `starting`, `up` or `stopping`'),
      alive: z.boolean().describe('Whether it still goes on'),
      services: z.array(z.string()).describe('Its services and mocks'),
    }),
});

/** Another store has set something up in this very folder. */
export const runOfOtherStore = defineErrorCode({
  code: 'RUN_OF_OTHER_STORE',
  category: 'infrastructure',
  severity: 'warning',
  summary: 'Something of this folder was set up with another state folder',
  causes: [
    'It was set up with another ARGUS_STATE_DIR or state.dir, or by another user.',
    'The whole state folder was removed while the environment was up.',
  ],
  handling: 'It leaves it alone, because only the store that made it knows whether it is still in use.',
  remedy:
    'Run argus clean with the state folder that it was set up with (ARGUS_STATE_DIR). Where that is gone, remove it by hand, ' +
    'or with argus clean-foreign when it is older than the maxAge of the plugin orphans.',
  details: () =>
    z.object({
      project: z.string().describe('The project whose it is'),
      runId: z.string().describe('The run that made it'),
      worktree: z.string().describe('The folder that the run was started in'),
      store: z.string().describe('The store that its labels name'),
      names: z.array(z.string()).describe('What argus clean-foreign knows it by'),
      createdAt: z.string().describe('In ISO format'),
    }),
});

/** Codes that more than one plugin raises, so that core declares them. */
export const environmentErrorCodes = [
  runRecordLost,
  runOfOtherName,
  runOfOtherStore,
  portConflict,
  diskSpaceLow,
  buildFailed,
  serviceStartFailed,
  healthCheckTimeout,
  containerOom,
  containerCrash,
  dependencyRestarted,
  guardianGone,
  containerRestartExhausted,
  cleanupFailed,
  setupInProgress,
  environmentRemoved,
  runtimeMissing,
];
