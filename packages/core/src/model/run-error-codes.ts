import * as z from 'zod';
import { defineErrorCode } from './error-code.js';

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
      circuit: z.string().optional().describe('The circuit that held the removal back'),
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

/** A folder was moved or removed while something that was set up in it is up. */
export const runOfGoneFolder = defineErrorCode({
  code: 'RUN_OF_GONE_FOLDER',
  category: 'infrastructure',
  severity: 'warning',
  summary: 'Something of this project was set up in a folder that is not there any more',
  causes: ['The folder of the project was moved, renamed or removed while its environment was up.'],
  handling: 'It leaves it alone until it is told to take it down: it may still be in use.',
  remedy:
    'Take it down with argus clean --run and its number, which works from any folder when its own is gone.',
  suggestedActions: ['clean', 'status'],
  details: () =>
    z.object({
      run: z.string().describe('The number of the run'),
      project: z.string().describe('The project whose it is'),
      worktree: z.string().describe('The folder that is gone'),
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
