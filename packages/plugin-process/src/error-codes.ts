import { defineErrorCode } from '@argusai/core';
import * as z from 'zod';

const subject = () => ({ service: z.string(), runId: z.string() });

/** A service ends again and again, whether or not it runs at this moment. */
export const processCrashLoop = defineErrorCode({
  code: 'PROCESS_CRASH_LOOP',
  category: 'container',
  severity: 'fatal',
  summary: 'A process of the environment ends again and again',
  suggestedActions: ['logs'],
  details: () =>
    z.object({
      ...subject(),
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
  details: () => z.object({ ...subject(), pid: z.number(), keeperPid: z.number() }),
});
