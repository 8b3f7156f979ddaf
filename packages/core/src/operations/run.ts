import * as z from 'zod';
import type { Remnant } from '../environment/removal/remnants.js';
import { defineOperation } from '../model/operation.js';
import type { RunReport } from '../suites/run-report.js';
import { runSuites } from '../suites/run-suites.js';
import { incidentSchema } from './incident-schema.js';
import { structuredErrorSchema } from './report-schemas.js';
import { tellBeside, tellUnknown } from './tell-beside.js';

const restart = z.lazy(() =>
  z.object({
    service: z.string(),
    attempt: z.number(),
    at: z.number().describe('Milliseconds since the epoch'),
    reason: z.string(),
    code: z.string().describe('The code of the failure that it answers'),
    verdict: z.enum(['pending', 'healthy', 'failed', 'not-needed', 'unknown']),
    withoutRestart: z.literal(true).optional().describe('It was repaired, and not restarted'),
    durationMs: z.number().optional().describe('Until the service was healthy'),
  }),
);

const suite = z.lazy(() =>
  z.object({
    id: z.string(),
    name: z.string().optional(),
    command: z.array(z.string()).describe('As it was run'),
    outcome: z.enum(['passed', 'failed', 'timed-out', 'interrupted']),
    exitCode: z.number().nullable().describe('Null when a signal ended it'),
    signal: z.string().nullable(),
    timedOut: z.boolean(),
    problem: z.string().optional().describe('Why it could not be run'),
    startedAt: z.number().describe('Milliseconds since the epoch'),
    duration: z.number().describe('Milliseconds'),
    restarts: z.array(restart).describe('Restarts of services during it, or after it and before the next'),
    output: z
      .object({ tail: z.string(), bytes: z.number(), truncated: z.boolean() })
      .optional()
      .describe('The end of what it printed, where nobody else was shown it'),
  }),
);

const resource = z.lazy(() =>
  z.object({ type: z.string(), name: z.string(), service: z.string().optional() }),
);

/** Runs tests in an environment of their own, or in the one that is up. */
export const run = defineOperation({
  name: 'run',
  summary: 'Run the tests with the services up, and take down what was not up before',
  description:
    'Sets up what is not up, runs the suites of the configuration one after the other (or the given command), and takes down ' +
    'what it has set up. The tests are told where the services are: ARGUS_PORT_API, ARGUS_URL_API, ARGUS_VAR_BASE_URL. Services ' +
    'that fail meanwhile are restarted. A suite that fails does not keep the next ones from running; the exit code is that of the first that ' +
    'failed, 124 when it took too long, 128 and the number of the signal when one ended it.',
  guidance:
    'No {setup} is needed before. The tests find services in ARGUS_URL_API, ARGUS_PORT_API and so on. ' +
    'When a suite failed, read its output; when a service failed, call {incidents} or {logs}.',
  input: z.lazy(() =>
    z.strictObject({
      suites: z.array(z.string()).optional().describe('Only these suites, in this order (default all)'),
      command: z
        .array(z.string())
        .min(1, 'no command is given')
        .optional()
        .describe('Run this command instead of the suites of the configuration'),
      keep: z.boolean().default(false).describe('Leave the environment up afterwards'),
      guard: z.boolean().default(true).describe('Restart services that fail meanwhile'),
      build: z
        .boolean()
        .default(true)
        .describe('Build images first; what has not changed comes from the cache'),
    }),
  ),
  output: z.lazy(() =>
    z.object({
      runId: z.string(),
      outcome: z.enum(['passed', 'failed']),
      exitCode: z
        .number()
        .describe('Of the first suite that failed; 1 when the environment was taken down meanwhile'),
      suites: z.array(suite),
      setup: z.object({
        unchanged: z.boolean().describe('It was up already and nothing had to be changed'),
        services: z.array(z.object({ name: z.string(), status: z.string(), endpoints: z.array(z.string()) })),
        removed: z
          .array(z.string())
          .describe('Services that were up and were taken down, because they are no longer configured'),
        duration: z.number().describe('Milliseconds'),
      }),
      takenDown: z
        .object({
          removed: z.array(resource),
          failed: z.array(resource.unwrap().extend({ error: structuredErrorSchema })),
        })
        .nullable()
        .describe('Null when the environment stays up, or somebody else has taken it down'),
      removedMeanwhile: z.boolean().describe('Somebody else has taken the environment down'),
      incidents: z.array(incidentSchema).describe('Failures of services, and what was done about each'),
      notices: z.array(structuredErrorSchema).describe('What went wrong beside the tests'),
    }),
  ),
  effects: { readOnly: false, destructive: true, idempotent: false, openWorld: true },
  // It takes down only what it has set up itself; a command that somebody makes up can do anything.
  effectsOf: ({ command }) => (command === undefined ? { destructive: false } : {}),
  rollsBack: true,
  leaves: 'The tests and the services that were started for them may still run; argus clean takes them down',
  async run(request, { kernel, signal, streams, notify }) {
    await tellBeside(kernel, notify);
    const report = await runSuites(kernel, request, streams, signal);
    await tellUnknown(kernel, signal, notify);
    return present(report);
  },
});

function present({ setup, suites, takenDown, incidents, notices, ...rest }: RunReport) {
  const { outcome, exitCode, removedMeanwhile } = rest;
  const { runId, unchanged, services, removed, stages } = setup;
  const duration = Object.values(stages).reduce((sum, one) => sum + one, 0);
  return {
    runId,
    outcome,
    exitCode,
    removedMeanwhile,
    suites: suites.map((one) => ({ ...one, command: [...one.command], restarts: [...one.restarts] })),
    setup: {
      unchanged,
      duration,
      services: services.map(({ name, status, endpoints }) => ({ name, status, endpoints })),
      removed,
    },
    takenDown: takenDown && {
      removed: takenDown.removed.map(shown),
      failed: takenDown.failed.map(({ resource: one, error }) => ({ ...shown(one), error })),
    },
    incidents: [...incidents],
    notices: [...notices],
  };
}

function shown({ type, name, service }: Remnant) {
  return { type, name, ...(service === undefined ? {} : { service }) };
}
