import { hostname } from 'node:os';
import type { Kernel } from '../../kernel/kernel.js';
import { ArgusError } from '../../model/argus-error.js';
import { setupInProgress } from '../../model/start-error-codes.js';
import { toStructuredError } from '../../model/to-structured-error.js';
import { isUnwritable } from '../../state/is-unwritable.js';
import { livenessOf, ownerLookup } from '../ownership/liveness.js';
import { releaseLostClaim } from '../runs/claim-run.js';
import { type FoundRun, findRun, isConfigured } from '../runs/find-run.js';
import { lostHere } from '../runs/lost-here.js';
import { requireAnyRuntime } from '../runs/require-runtimes.js';
import type { RunRecord } from '../runs/run-record.js';
import { readRun } from '../runs/runs.js';
import { seizeRun } from '../runs/seize-run.js';
import { environmentOf } from '../services/environment-of.js';
import { removalOrder } from '../services/removal-order.js';
import { runtimesOf } from '../services/runtime-of.js';
import type { ServiceSpec } from '../services/service-spec.js';
import { listedOf } from './listed-of.js';
import { cleanLost, removeLost } from './lost-runs.js';
import { lostOn, type NotTakenDown, remnantsOf } from './remnants.js';
import { takeDown } from './take-down.js';
import type { TakenDown } from './taken-down.js';
import { together } from './taken-down.js';

/**
 * Takes down the environment of this folder, also what is there of one whose record was lost. Nothing to take down is fine. `onSeize` is called when nobody else may work on
 * the run any more, before anything of it is touched.
 */
export async function cleanCurrentRun(
  kernel: Kernel,
  signal: AbortSignal,
  onSeize: (run: RunRecord) => Promise<void> = async () => undefined,
): Promise<TakenDown> {
  const found = await findRun(kernel, undefined, 'end', signal);
  const current = found && (await cleanRun(kernel, found, signal, onSeize));
  if (!current) await releaseLostClaim(kernel);
  const lost = await cleanLost(kernel, signal);
  return current ? together(current, lost) : lost;
}

/** Takes down one run; nothing when somebody else has done it meanwhile. Where nobody can be asked about it, it stays as it is. */
export async function cleanRun(
  kernel: Kernel,
  { run, lost }: FoundRun,
  signal: AbortSignal,
  onSeize: (run: RunRecord) => Promise<void> = async () => undefined,
): Promise<TakenDown | undefined> {
  if (lost) return removeLost(kernel, lost, signal);
  const unlooked = await unlookedOf(kernel, run, signal);
  if (unlooked) return { removed: [], failed: unlooked };
  const seized = await seize(kernel, run.id);
  if (!seized) return undefined;
  await onSeize(seized);
  return takeDown(kernel, seized, servicesOf(kernel, seized), signal);
}

/** What there may be of a run of which no runtime can be asked: then nothing is begun that could only fail. */
async function unlookedOf(
  kernel: Kernel,
  run: RunRecord,
  signal: AbortSignal,
): Promise<NotTakenDown[] | undefined> {
  const services = servicesOf(kernel, run);
  try {
    await requireAnyRuntime(kernel, run, services, signal);
    return undefined;
  } catch (thrown) {
    signal.throwIfAborted();
    const hindrance = toStructuredError(thrown, kernel.clock.now());
    return runtimesOf(kernel, run, services).flatMap(({ name }) => remnantsOf(kernel, run, name, hindrance));
  }
}

/**
 * Makes sure that nobody else works on a run. Where nothing can be written nobody can begin to, and what runs must not go on
 * for that: then it is taken down as it is, and the record that is left says so afterwards.
 */
async function seize(kernel: Kernel, id: string): Promise<RunRecord | undefined> {
  try {
    return await seizeRun(kernel, id, 'stopping', (now) => refuseIfBusy(kernel, now));
  } catch (thrown) {
    if (!isUnwritable(thrown)) throw thrown;
    const run = await readRun(kernel.store, id);
    if (run) await refuseIfBusy(kernel, run);
    return run;
  }
}

/** What would be taken down, in the order in which it would, and where nobody could look for more. */
export async function currentResources(
  kernel: Kernel,
  signal: AbortSignal,
  chosen?: FoundRun,
): Promise<TakenDown> {
  if (chosen) return resourcesOf(kernel, chosen, signal);
  const found = await findRun(kernel, undefined, 'end', signal);
  const lost = await lostHere(kernel, signal);
  const own = found ? await resourcesOf(kernel, found, signal) : { removed: [], failed: [] };
  return together(own, {
    removed: [...lost.resources],
    failed: lost.unlooked.map((one) => lostOn(kernel, one)),
  });
}

async function resourcesOf(kernel: Kernel, { run, lost }: FoundRun, signal: AbortSignal): Promise<TakenDown> {
  if (lost) return { removed: [...lost], failed: [] };
  const services = servicesOf(kernel, run);
  const { resources, left } = await listedOf(kernel, run, services, signal);
  // Only what is really taken down says what is left when it is cut off.
  signal.throwIfAborted();
  return { removed: removalOrder(resources, services).flat(), failed: left };
}

/** The services of a run, as far as the configuration tells of them. */
function servicesOf(kernel: Kernel, run: RunRecord): readonly ServiceSpec[] {
  return isConfigured(kernel, run) ? environmentOf(kernel.config, kernel.project).services : [];
}

/** A run that another process is starting or stopping is left to it. */
async function refuseIfBusy({ clock }: Kernel, run: RunRecord): Promise<true> {
  if (run.state === 'up') return true;
  const { alive } = await livenessOf(run, clock.now(), ownerLookup(hostname()));
  if (!alive) return true;
  const { pid, host } = run.owner;
  throw new ArgusError(setupInProgress, {
    message: `The environment is being ${run.state === 'starting' ? 'started' : 'stopped'} by process ${pid} on ${host}`,
    details: { runId: run.id, pid, host },
  });
}
