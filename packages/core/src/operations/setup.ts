import * as z from 'zod';
import { setUp } from '../environment/set-up.js';
import { defineOperation } from '../model/operation.js';
import { healthReportSchema } from './report-schemas.js';

const portAssignment = z.object({
  service: z.string(),
  originalPort: z.number(),
  actualPort: z.number(),
  reassigned: z.boolean(),
});

/** Brings the environment up, or leaves nothing behind. */
export const setup = defineOperation({
  name: 'setup',
  summary: 'Bring the services of this project up, or leave nothing behind',
  description:
    'Checks first, removes what dead runs left, gives every service a port it can have, starts all in the order of their ' +
    'dependencies and waits until they are healthy. Use portMappings, vars and env of the result: ports may differ from the ' +
    'configuration. Run twice it changes only what has changed. clean takes everything down again.',
  input: z.strictObject({
    build: z
      .boolean()
      .default(true)
      .describe('Build images first; what has not changed comes from the cache'),
  }),
  output: z.object({
    runId: z.string(),
    unchanged: z.boolean().describe('It was up already and nothing had to be changed'),
    services: z.array(
      z.object({
        name: z.string(),
        kind: z.enum(['service', 'mock']),
        runtime: z.string(),
        status: z.enum(['ready', 'kept', 'done']),
        endpoints: z.array(z.string()),
      }),
    ),
    portMappings: z.array(portAssignment).describe('Asked for and really given'),
    vars: z.record(z.string(), z.string()).describe('Values for tests, with the real ports'),
    env: z.record(z.string(), z.string()).describe('Variables for whatever runs the tests'),
    preflight: healthReportSchema.optional(),
    orphanCleanup: z.unknown().optional(),
    networkVerification: z.unknown().optional(),
    stages: z.record(z.string(), z.number()).describe('Milliseconds by stage'),
    leaseUntil: z.number().describe('Milliseconds since the epoch'),
  }),
  effects: { readOnly: false, destructive: false, idempotent: true },
  rollsBack: true,
  run: ({ build }, { kernel, signal }) => setUp(kernel, { build }, signal),
});
