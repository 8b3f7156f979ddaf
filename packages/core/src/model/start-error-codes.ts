import * as z from 'zod';
import { configPlace } from './config-place.js';
import { defineErrorCode } from './error-code.js';

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
    'A run holds the port whose folder was moved or removed while it was up.',
  ],
  handling:
    'Unless resilience.network.portConflictStrategy is fail, setup gives the service another port. Variables of services and suites that lead to the old one follow. It fails where a command spells it out, as in curl http://localhost:9090/, and would get to the program that holds it; {{ports.pay}} in that text follows the service.',
  remedy: 'Stop the program that holds the port, or ask for another one in the configuration.',
  remedies: {
    'folder-gone':
      'Take down the run that has the port with argus clean --run and its number, which works from any folder.',
    'not-moved':
      'Let the port be moved with portConflictStrategy: auto, or stop the program that holds it, or ask for another port.',
    'spelt-out':
      'Stop the program that holds the port, or write {{ports.NAME}} where a command spells it out, which follows the port.',
  },
  // Another port helps as a rule, to clean up only where a dead run holds it; then the kernel puts that first.
  suggestedActions: ['setup', 'orphans.clean', 'status'],
  details: () =>
    z.object({
      service: z.string().describe('The service or mock that asks for it'),
      reason: z
        .enum(['folder-gone', 'not-moved', 'spelt-out'])
        .optional()
        .describe('Why the service gets no other port, or that the run which has it is to be taken down'),
      where: configPlace().optional().describe('What in the configuration it depends on'),
      port: z.number().describe('The port'),
      protocol: z.enum(['tcp', 'udp']).describe('How the port is used'),
      pid: z.number().optional().describe('The process that holds it, where that can be told'),
      command: z.string().optional().describe('What that process runs'),
      run: z.string().optional().describe('The run that has it, where it is one of Argus'),
      project: z.string().optional().describe('The project of that run'),
      worktree: z.string().optional().describe('The folder of that run'),
      orphan: z.string().optional().describe('What it is, when a dead run of this project left it behind'),
    }),
});

/** What a shortage on a filesystem is reported with. */
export const diskShortage = () =>
  z.object({
    available: z.number().describe('What is left for this user, in bytes or whatever is counted'),
    required: z.number().describe('What there should be at least'),
    reason: z
      .enum(['threshold'])
      .optional()
      .describe('More is asked for than the whole filesystem has: a mistake in the configuration'),
    where: configPlace().optional().describe('What in the configuration asks for it'),
    critical: z.number().optional().describe('Below what it is a failure and no longer a warning'),
    unit: z.enum(['bytes', 'inodes']).optional().describe('What is counted'),
    path: z.string().describe('The folder that was looked at'),
    mount: z.string().optional().describe('Where the filesystem begins'),
    total: z.number().optional().describe('What there is in all'),
    paths: z
      .array(z.object({ path: z.string(), use: z.string() }))
      .optional()
      .describe('Every folder that was looked at on this filesystem, and what it is for'),
    lines: z
      .array(z.string())
      .optional()
      .describe('The last lines of what ran out of it, where it was a build'),
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
  remedies: { threshold: 'Lower the threshold: no disk of this size can ever have so much free.' },
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
  suggestedActions: ['build'],
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
    'It ended with exit code 0 because it has done its work, and the configuration does not say oneShot: true.',
    'Something else has the name of its container, network or volume.',
    'Its command cannot be understood.',
  ],
  handling: 'It takes down what this setup had started.',
  remedy:
    'Read the last lines of its output, and correct the service or its configuration; one that is meant to end needs oneShot: true.',
  remedies: {
    'variable-missing': 'Give the service the variable that its output names.',
    'command-missing': 'Correct the command of the service, or install what it starts.',
    'image-missing': 'Correct the image of the service, or build it.',
    'ended-well':
      'Write oneShot: true if the service is meant to end; else see in its last lines why it did.',
    'name-taken': 'Remove or rename what has the name, if nobody needs it.',
    failed: 'Correct what the message names.',
  },
  suggestedActions: ['setup', 'logs'],
  details: () =>
    z.object({
      service: z.string().describe('The service'),
      reason: z
        .enum([
          'image-missing',
          'command-missing',
          'variable-missing',
          'exited',
          'ended-well',
          'name-taken',
          'failed',
        ])
        .describe('Why it did not start'),
      where: configPlace().optional().describe('What in the configuration it depends on'),
      exitCode: z.number().nullable().optional().describe('How it ended, if it did'),
      lines: z.array(z.string()).optional().describe('The last lines of its output'),
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
  suggestedActions: ['plugins'],
  details: () =>
    z.object({
      service: z.string().describe('The service'),
      needs: z.string().describe('The plugin or the runtime that it needs'),
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
