import * as z from 'zod';
import { incidentHistory } from '../guardian/incident-history.js';
import { defineOperation } from '../model/operation.js';
import { toldIncidentSchema } from './incident-schema.js';

/** Tells what has happened to services, with all that was seen and done. */
export const incidents = defineOperation({
  name: 'incidents',
  summary: 'Show what happened to the services of this project: each failure, its evidence and every restart',
  description:
    'The incidents of the run of this folder, newest first, with the whole error, the restarts and the evidence that was kept before ' +
    'each. When nothing is up, those of the run that something last happened to. It changes nothing.',
  guidance:
    'Call it when {status} shows an incident or a service was restarted. Next: mend the cause ' +
    'and call {setup}.',
  input: z.lazy(() =>
    z.strictObject({
      service: z.string().optional().describe('Only those of this service or mock'),
      last: z.number().int().min(1).default(10).describe('So many of the newest'),
      all: z.boolean().default(false).describe('Also those of other runs that are still known'),
    }),
  ),
  output: z.lazy(() =>
    z.object({
      runId: z.string().nullable().describe('Null when nothing has happened and nothing is up'),
      guarded: z
        .boolean()
        .nullable()
        .describe(
          'Whether somebody guards the run, without whom nothing is recorded; null when nothing is up',
        ),
      incidents: z.array(toldIncidentSchema),
      others: z.number().describe('How many more are known that were not asked for'),
    }),
  ),
  effects: { readOnly: true, destructive: false, idempotent: true },
  run: async (query, { kernel }) => ({ ...(await incidentHistory(kernel, query)) }),
});
