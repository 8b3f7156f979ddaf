import { defineErrorCode } from '@argusai/core';
import * as z from 'zod';

const subject = { service: z.string(), runId: z.string() };

/** A service that should run has ended, or a service that should do its work once has failed. */
export const processExited = defineErrorCode({
  code: 'PROCESS_EXITED',
  category: 'container',
  severity: 'recoverable',
  summary: 'A process of the environment has ended',
  suggestedActions: ['setup', 'logs'],
  details: z.object({
    ...subject,
    /** Null when nobody was there to see how it ended. */
    exitCode: z.number().nullable(),
    signal: z.string().optional(),
    /** Milliseconds since the epoch. */
    exitedAt: z.number().optional(),
    /** The last lines of its output. */
    lines: z.array(z.string()),
  }),
});

/** A service ends again and again, whether or not it runs at this moment. */
export const processCrashLoop = defineErrorCode({
  code: 'PROCESS_CRASH_LOOP',
  category: 'container',
  severity: 'fatal',
  summary: 'A process of the environment ends again and again',
  suggestedActions: ['logs'],
  details: z.object({
    ...subject,
    /** How often it ended in the time that was looked at. */
    exits: z.number(),
    windowMs: z.number(),
    exitCodes: z.array(z.number()),
    lines: z.array(z.string()),
  }),
});

/** The keeper of a service is gone while the service runs: its output and its end go unnoticed. */
export const processUnkept = defineErrorCode({
  code: 'PROCESS_UNKEPT',
  category: 'container',
  severity: 'warning',
  summary: 'A process of the environment runs, but nothing keeps it',
  suggestedActions: ['setup'],
  details: z.object({ ...subject, pid: z.number(), keeperPid: z.number() }),
});
