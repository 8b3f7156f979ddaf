import * as z from 'zod';
import { endLeftBuilds } from '../environment/commands/left-builds.js';
import type { Resource } from '../environment/ownership/resource.js';
import { cleanCurrentRun, cleanRun, currentResources } from '../environment/removal/clean-up.js';
import { cleanDeadRuns, deadResources } from '../environment/removal/dead-runs.js';
import { type Remnant, unrecordedOn } from '../environment/removal/remnants.js';
import type { TakenDown } from '../environment/removal/taken-down.js';
import { currentRun } from '../environment/runs/claim-run.js';
import { type FoundRun, findRun } from '../environment/runs/find-run.js';
import type { RunRecord } from '../environment/runs/run-record.js';
import { runsUp } from '../environment/runs/runs-up.js';
import { type RunUser, usedBy } from '../environment/runs/used-by.js';
import { endGuardian } from '../guardian/posts/end-guardian.js';
import type { Kernel } from '../kernel/kernel.js';
import { ArgusError, thrownAs } from '../model/argus-error.js';
import { usageInvalid } from '../model/core-error-codes.js';
import { defineOperation, harmlessDryRun } from '../model/operation.js';
import { requireSight } from '../state/blindness.js';
import { isUnwritable } from '../state/is-unwritable.js';
import { settleDamage } from '../state/store-notices.js';
import { structuredErrorSchema } from './report-schemas.js';
import { runInput } from './run-input.js';
import { nothingUnrecorded, tellBeside, tellUnrecorded } from './tell-beside.js';

const resourceTypes = ['container', 'network', 'volume', 'process'] as const;

/** One thing that a run has made, as results show it. */
export const resourceSchema = z.lazy(() =>
  z.object({
    type: z.enum(resourceTypes),
    name: z.string(),
    id: z.string(),
    runId: z.string(),
    service: z.string().optional(),
  }),
);

/** What could not be removed, or not even be looked for: then the record says what there may be. */
const remnant = z.lazy(() =>
  resourceSchema.unwrap().extend({ type: z.enum([...resourceTypes, 'service', 'run']) }),
);

/** Takes the environment down. */
export const clean = defineOperation({
  name: 'clean',
  summary: 'Take down everything of this project’s run',
  description:
    'Removes the containers, networks, volumes and processes of the run of this folder, dependents first, also those of a ' +
    'run of it whose record was lost with a damaged store. With --run it takes down just that one, which was set up in this folder or in one ' +
    'that is gone. With --all-runs it removes what dead runs of the project left behind instead; a live run is never touched. Where the ' +
    'configuration cannot be read it works from the record of the run.',
  guidance: 'Call it when you are done with the environment, or with allRuns to remove what dead runs left.',
  input: z.lazy(() =>
    z.strictObject({
      run: runInput('The run to take down'),
      allRuns: z.boolean().default(false).describe('Remove what dead runs left, in whatever folder they ran'),
      dryRun: z.boolean().default(false).describe('Only say what would be removed'),
    }),
  ),
  output: z.lazy(() =>
    z.object({
      dryRun: z.boolean(),
      removed: z.array(resourceSchema).describe('What is gone, or would be'),
      failed: z.array(
        remnant.unwrap().extend({
          error: structuredErrorSchema,
          unlooked: z
            .boolean()
            .optional()
            .describe('Nobody could look, so it is not known whether it is there at all'),
        }),
      ),
      killed: z
        .array(z.string())
        .optional()
        .describe('Services that did not end on SIGTERM within environment.stopTimeout'),
      usedBy: z
        .array(z.object({ host: z.string(), pid: z.number(), suites: z.array(z.string()) }))
        .describe(
          'Each run that was using it for tests at that moment: its process, and the suites that ran',
        ),
      kept: z
        .string()
        .optional()
        .describe('With allRuns: the run that is up in this folder, which clean takes down without it'),
      foreign: z
        .array(z.string())
        .optional()
        .describe('Runs of this folder that were set up with another state folder, which it leaves alone'),
    }),
  ),
  effects: { readOnly: false, destructive: true, idempotent: true },
  effectsOf: harmlessDryRun,
  rollsBack: true,
  leaves: 'Not everything may have been removed; argus clean takes down the rest',
  needsConfig: 'or-record',
  async run({ run, allRuns, dryRun }, { kernel, signal, notify }) {
    if (run !== undefined && allRuns) throw oneOfTwo();
    // What is over is judged by the project, and that is what is not known for sure.
    if (allRuns && kernel.configProblem) throw thrownAs(kernel.configProblem);
    await kernel.circuits.knock(signal);
    await tellBeside(kernel, notify, run);
    const { foreign, unlooked: blind } =
      run === undefined ? await tellUnrecorded(kernel, signal, notify, 'end') : nothingUnrecorded;
    const chosen = run === undefined ? undefined : await findRun(kernel, run, 'end', signal);
    const isRecorded = (chosen?.run ?? (await currentRun(kernel))) !== undefined;
    if (!dryRun) await endLeftBuilds(kernel);
    const work = dryRun ? wouldRemove : remove;
    const done = await work(kernel, { allRuns, ...(chosen ? { chosen } : {}) }, signal);
    const { removed, users, killed } = done;
    const isTold = (runtime: string) => done.failed.some(({ resource }) => resource.runtime === runtime);
    const unlooked = blind.filter(({ runtime }) => !isTold(runtime));
    const failed = [...done.failed, ...unlooked.flatMap((one) => unrecordedOn(kernel, one))];
    const isAnythingSeen = removed.length > 0 || failed.some(({ unlooked: isUnseen }) => !isUnseen);
    if (!isRecorded && !isAnythingSeen) requireSight(kernel.store);
    const isAllClean = !dryRun && !allRuns && !chosen && failed.length === 0;
    if (isAllClean) await settleDamage(kernel);
    const kept = allRuns ? await runUpHere(kernel) : undefined;
    return {
      ...(kept === undefined ? {} : { kept }),
      ...(foreign.length === 0 ? {} : { foreign: [...foreign] }),
      dryRun,
      ...(killed === undefined ? {} : { killed: [...killed] }),
      usedBy: users.map((one) => ({ ...one, suites: [...one.suites] })),
      removed: removed.map(describeResource),
      failed: failed.map(({ resource: one, ...why }) => ({ ...describeResource(one), ...why })),
    };
  },
});

/** The run of this folder, if it is up. */
async function runUpHere(kernel: Kernel): Promise<string | undefined> {
  const run = await currentRun(kernel);
  return run && (await runsUp(kernel, run.project)).has(run.id) ? run.id : undefined;
}

/** What was taken down, and from under whom. */
interface Cleaned extends TakenDown {
  readonly users: readonly RunUser[];
}

/** What is to be taken down: what dead runs left, a run, or else all that is of this folder. */
interface Choice {
  readonly allRuns: boolean;
  readonly chosen?: FoundRun;
}

async function wouldRemove(
  kernel: Kernel,
  { allRuns, chosen }: Choice,
  signal: AbortSignal,
): Promise<Cleaned> {
  if (allRuns) return { ...(await deadResources(kernel, signal)), users: [] };
  const run = chosen ? chosen.run : await currentRun(kernel);
  return { ...(await currentResources(kernel, signal, chosen)), users: run ? await usedBy(run) : [] };
}

async function remove(kernel: Kernel, { allRuns, chosen }: Choice, signal: AbortSignal): Promise<Cleaned> {
  if (allRuns) return { ...(await cleanDeadRuns(kernel, signal)), users: [] };
  let users: RunUser[] = [];
  const onSeize = async (run: RunRecord) => {
    users = await usedBy(run);
    await endGuardian(kernel, run).catch((thrown: unknown) => {
      // It has ended; that its name stays in a record that cannot be changed harms nobody.
      if (!isUnwritable(thrown)) throw thrown;
    });
  };
  const end = chosen
    ? await cleanRun(kernel, chosen, signal, onSeize)
    : await cleanCurrentRun(kernel, signal, onSeize);
  return { removed: [], failed: [], ...end, users };
}

function oneOfTwo(): ArgusError {
  return new ArgusError(usageInvalid, {
    message: 'One run was named and all that are over were asked for; only one of the two can be meant',
  });
}

/** The part of a resource that results show. */
export function describeResource<Type extends Remnant['type']>({
  type,
  name,
  id,
  runId,
  service,
}: Omit<Resource, 'type'> & { type: Type }) {
  return { type, name, id, runId, ...(service === undefined ? {} : { service }) };
}
