import { defineErrorCode } from '@argusai/core';
import * as z from 'zod';

const subject = () => ({
  service: z.string().describe('The service'),
  runId: z.string().describe('The run that it is of'),
});

/** A service ends again and again, whether or not it runs at this moment. */
export const processCrashLoop = defineErrorCode({
  code: 'PROCESS_CRASH_LOOP',
  category: 'container',
  severity: 'fatal',
  summary: 'A process of the environment ends again and again',
  causes: [
    'The service ends soon after every start, for example because of its configuration or something it depends on.',
  ],
  remedy: 'Read its last lines and correct the cause, then set the environment up again.',
  suggestedActions: ['logs'],
  details: () =>
    z.object({
      ...subject(),
      exits: z.number().describe('How often it ended in the time that was looked at'),
      windowMs: z.number().describe('The time that was looked at, in milliseconds'),
      exitCodes: z.array(z.number()).describe('How it ended each time'),
      lines: z.array(z.string()).describe('The last lines of its output'),
    }),
});

/** The keeper of a service is gone while the service runs: its output and its end go unnoticed. */
export const processUnkept = defineErrorCode({
  code: 'PROCESS_UNKEPT',
  category: 'container',
  severity: 'warning',
  summary: 'A process of the environment runs, but nothing keeps it',
  causes: [
    'Somebody or the system has killed the keeper, the small process that watches over the services of a run.',
  ],
  remedy: 'Set the environment up again, so that the service gets a new keeper.',
  suggestedActions: ['setup'],
  details: () =>
    z.object({
      ...subject(),
      pid: z.number().describe('The process of the service'),
      keeperPid: z.number().describe('The keeper that is gone'),
    }),
});
