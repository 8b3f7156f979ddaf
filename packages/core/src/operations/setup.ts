import * as z from 'zod';
import type { RunRecord } from '../environment/runs/run-record.js';
import { readRun } from '../environment/runs/runs.js';
import { setUp } from '../environment/setup/set-up.js';
import type { SetupResult } from '../environment/setup/setup-result.js';
import { endGuardian } from '../guardian/posts/end-guardian.js';
import { keepGuardian } from '../guardian/posts/keep-guardian.js';
import { launchGuardian, livingGuardian, requireLaunch } from '../guardian/posts/launch-guardian.js';
import { defineOperation } from '../model/operation.js';
import { forgetSolved } from '../recover/forget-solved.js';
import { storeNotices } from '../state/store-notices.js';
import { healthReportSchema, structuredErrorSchema } from './report-schemas.js';
import { tellBeside, tellUnknown } from './tell-beside.js';

const portAssignment = z.lazy(() =>
  z.object({
    service: z.string(),
    originalPort: z.number(),
    actualPort: z.number(),
    reassigned: z.boolean(),
    protocol: z.enum(['tcp', 'udp']).optional(),
    containerPort: z.number().optional().describe('The port inside'),
  }),
);

/** Brings the environment up, or leaves nothing behind. */
export const setup = defineOperation({
  name: 'setup',
  summary: 'Bring the services of this project up, or leave nothing behind',
  description:
    'Checks first, removes what dead runs left, gives every service a port it can have, starts all in the order of their ' +
    'dependencies and waits until they are healthy. Use portMappings, vars and env of the result: ports may differ from the ' +
    'configuration. Run twice it changes only what has changed. With --guard, services that fail later are restarted. ' +
    'argus clean takes everything down again.',
  guidance:
    'Call it also after a change of the configuration, and when {status} shows services that are not ' +
    'running. It moves ports that are taken, so use portMappings, vars and env of the answer. Next: ' +
    '{status} to look, {run} for the tests, {clean} when you are done.',
  input: z.lazy(() =>
    z.strictObject({
      build: z
        .boolean()
        .default(true)
        .describe('Build images first; what has not changed comes from the cache'),
      guard: z
        .boolean()
        .default(false)
        .describe('Restart services that fail, in the background, until the environment is taken down'),
    }),
  ),
  output: z.lazy(() =>
    z.object({
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
      removed: z
        .array(z.string())
        .describe('Services that were up and were taken down, because they are no longer configured'),
      resumed: z.array(z.string()).describe('Services that somebody had paused, and that go on'),
      portMappings: z.array(portAssignment).describe('Asked for and really given'),
      vars: z
        .record(z.string(), z.string())
        .describe(
          'Values for tests, with the real ports and without secrets; argus run hands over the true ones',
        ),
      env: z.record(z.string(), z.string()).describe('Variables for whatever runs the tests'),
      preflight: healthReportSchema.optional(),
      notices: z.array(structuredErrorSchema).describe('What went wrong beside the setup'),
      orphanCleanup: z.unknown().optional(),
      networkVerification: z.unknown().optional(),
      stages: z.record(z.string(), z.number()).describe('Milliseconds by stage'),
      leaseUntil: z.number().describe('Milliseconds since the epoch'),
      guardian: z
        .discriminatedUnion('guarding', [
          z.object({
            guarding: z.literal(true),
            pid: z.number(),
            since: z.number(),
            kept: z
              .literal(true)
              .optional()
              .describe('It guarded before and goes on: nothing has changed for it'),
          }),
          z.object({ guarding: z.literal(false), log: z.string().describe('Where it may say why not') }),
        ])
        .optional()
        .describe('The background guardian, where one was asked for or there was one before'),
    }),
  ),
  effects: { readOnly: false, destructive: false, idempotent: true, openWorld: true },
  rollsBack: true,
  leaves: 'Services that it had started may still run; argus clean takes them down',
  async run({ build, guard }, { kernel, signal, notify }) {
    if (guard) requireLaunch(kernel);
    await tellBeside(kernel, notify);
    let guarded: string | undefined;
    let isKept = false;
    const onClaim = async (run: RunRecord) => {
      isKept = await keepGuardian(kernel, run);
      guarded = isKept || (await endGuardian(kernel, run)) ? run.id : undefined;
    };
    const { store } = kernel;
    let done: SetupResult;
    try {
      done = await setUp(kernel, { build, onClaim }, signal);
    } catch (thrown) {
      // What was guarded before and is still up is guarded again.
      const isUp = guarded !== undefined && (await readRun(store, guarded))?.state === 'up';
      if (guarded !== undefined && isUp && !isKept && kernel.launchGuardian)
        await launchGuardian(kernel, guarded, signal);
      throw thrown;
    }
    await forgetSolved(kernel, signal);
    const isGuarded = guard || guarded !== undefined;
    const result = { ...done, notices: await storeNotices(kernel) };
    await tellUnknown(kernel, signal, notify);
    if (!isGuarded || !kernel.launchGuardian) return result;
    const kept = isKept ? await livingGuardian(kernel, result.runId) : undefined;
    const guardian = kept
      ? { ...kept, kept: true as const }
      : await launchGuardian(kernel, result.runId, signal);
    return { ...result, guardian };
  },
});
