import { hostname } from 'node:os';
import * as z from 'zod';
import { currentRun } from '../environment/runs/claim-run.js';
import { type FoundRun, findRun } from '../environment/runs/find-run.js';
import type { Unlooked } from '../environment/runs/lost-here.js';
import { readRun } from '../environment/runs/runs.js';
import { statusOf } from '../environment/status/status-of.js';
import { guardStatus } from '../guardian/posts/guard-status.js';
import type { Kernel } from '../kernel/kernel.js';
import { type JsonObject, toJson } from '../model/json.js';
import { defineOperation } from '../model/operation.js';
import { describeResource, resourceSchema } from './clean.js';
import { runInput } from './run-input.js';
import { nothingUnrecorded, tellBeside, tellUnrecorded } from './tell-beside.js';
import { watchStatus } from './watch-status.js';

const circuit = z.lazy(() =>
  z.object({
    name: z.string(),
    state: z.enum(['closed', 'open', 'half-open']),
    failureCount: z.number(),
    lastFailureTime: z.number().nullable(),
    lastStateTransition: z.number().nullable(),
    sinceTransition: z
      .number()
      .nullable()
      .describe('Milliseconds since the last transition; null when there was none'),
  }),
);

/** Says what runs, where, and how it is. */
export const status = defineOperation({
  name: 'status',
  summary: 'Show the services of this project, their health and ports, and the circuits',
  description:
    'Looks at the environment of this folder; other runs of the project, and of this folder under another project name, are listed ' +
    'too. It changes nothing, and works from the record of the run where the configuration cannot be read.',
  guidance:
    'Call it at any time, also while a setup runs. If a service is not running, call {logs} or ' +
    '{incidents} for the reason. Call {setup} to bring it back.',
  input: z.lazy(() =>
    z.strictObject({
      run: runInput('The run to look at'),
      watch: z.boolean().default(false).describe('Go on until it is stopped, and tell of every change'),
    }),
  ),
  output: z.lazy(() =>
    z.object({
      project: z.string(),
      run: z
        .object({
          id: z.string(),
          state: z.enum(['starting', 'up', 'stopping']),
          alive: z.boolean(),
          why: z.string().optional().describe('Why it is over'),
          owner: z.string(),
          createdAt: z.number(),
          leaseUntil: z.number(),
          leaseMs: z.number().describe('Milliseconds that are left of the lease'),
        })
        .nullable(),
      services: z.array(
        z.object({
          name: z.string(),
          kind: z.enum(['service', 'mock']),
          runtime: z.string(),
          status: z.enum(['running', 'paused', 'exited', 'missing', 'unknown']),
          health: z.enum(['healthy', 'unhealthy', 'starting', 'unknown', 'none']),
          message: z.string(),
          endpoints: z.array(z.string()),
          restarts: z.number(),
          repairs: z.number().describe('How often the guardian has put it right without a restart'),
          exitCode: z.number().nullable(),
          startedAt: z.number().nullable(),
          note: z.string().optional().describe('How it differs from what the configuration says by now'),
        }),
      ),
      otherRuns: z.array(
        z.object({
          id: z.string(),
          project: z.string(),
          worktree: z.string(),
          state: z.string(),
          alive: z.boolean(),
        }),
      ),
      lost: z
        .object({
          resources: z.array(resourceSchema),
          unknown: z.array(z.object({ runtime: z.string(), reason: z.string() })),
        })
        .describe(
          'What is still there of runs of this folder whose records were lost with a damaged store, and which runtimes could ' +
            'not be asked; clean takes it down',
        ),
      unrecorded: z
        .string()
        .optional()
        .describe('Why no run could have been recorded: then it is unknown whether one is up'),
      configBroken: z
        .boolean()
        .optional()
        .describe('The configuration cannot be read, so only what is recorded is known'),
      foreign: z
        .array(z.string())
        .optional()
        .describe(
          'Runs of this folder that were set up with another state folder, where none is recorded here',
        ),
      unlooked: z
        .array(z.object({ runtime: z.string(), reason: z.string() }))
        .optional()
        .describe('Runtimes that could not be asked, where no run is recorded: something may be there'),
      circuits: z
        .array(circuit)
        .describe('Where the state store cannot be used, only those that something is known of'),
      guardian: z
        .object({
          host: z.string(),
          pid: z.number(),
          since: z.number(),
          background: z.boolean(),
          alive: z.boolean().describe('Whether its process still lives; setup starts another'),
          silentMs: z
            .number()
            .optional()
            .describe(
              'For how long it has given no sign of life, where that is too long: it was stopped or hangs',
            ),
        })
        .nullable()
        .describe('Who restarts services that fail'),
      incidents: z.array(
        z.object({
          service: z.string(),
          startedAt: z.number(),
          endedAt: z.number().nullable(),
          outcome: z.enum(['recovered', 'exhausted', 'observed', 'interrupted', 'open']),
          code: z.string(),
          message: z.string(),
          restarts: z.number(),
          repairs: z.number(),
          underWay: z.boolean().optional().describe('A restart or repair is being made right now'),
          refusal: z.string().optional(),
          startedAgain: z
            .boolean()
            .optional()
            .describe('The service was started again since, so that this is history'),
        }),
      ),
    }),
  ),
  effects: { readOnly: true, destructive: false, idempotent: true },
  needsConfig: 'or-record',
  async run({ run: id, watch }, { kernel, signal, notify }) {
    await tellBeside(kernel, notify, id);
    let tell = notify;
    const find = async () => (id === undefined ? undefined : findRun(kernel, id, 'look', signal));
    const look = async () => {
      const { foreign, unlooked } =
        id === undefined ? await tellUnrecorded(kernel, signal, tell, 'look') : nothingUnrecorded;
      // Whoever watches is told once.
      tell = undefined;
      const seen = await lookAtStatus(kernel, await find(), signal, unlooked);
      if (seen.run !== null) return seen;
      return {
        ...seen,
        ...(foreign.length === 0 ? {} : { foreign: [...foreign] }),
        ...(unlooked.length === 0 ? {} : { unlooked: unlooked.map(whyUnlooked) }),
      };
    };
    const followed = async () => (id === undefined ? currentRun(kernel) : readRun(kernel.store, id));
    if (!watch) return look();
    const emit = (now: Awaited<ReturnType<typeof look>>) =>
      kernel.events.emit('status_changed', toJson(now) as JsonObject);
    return watchStatus(kernel, followed, look, emit, signal);
  },
});

async function lookAtStatus(
  kernel: Kernel,
  chosen: FoundRun | undefined,
  signal: AbortSignal,
  unlooked: readonly Unlooked[],
) {
  const { services, lost, ...rest } = await statusOf(kernel, hostname(), signal, chosen, unlooked);
  const guarded = chosen && (chosen.lost ? null : chosen.run);
  const { guardian, incidents, counts } = await guardStatus(kernel, guarded);
  const counted = services.map((service) => ({
    ...service,
    restarts: Math.max(service.restarts, counts.get(service.name)?.restarts ?? 0),
    repairs: counts.get(service.name)?.repairs ?? 0,
  }));
  const shownLost = {
    resources: lost.resources.map(describeResource),
    unknown: lost.unlooked.map(whyUnlooked),
  };
  return { ...rest, services: counted, lost: shownLost, guardian, incidents };
}

function whyUnlooked({ runtime, error }: Unlooked) {
  return { runtime, reason: error.message };
}
