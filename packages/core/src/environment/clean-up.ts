import { hostname } from 'node:os';
import type { Kernel } from '../kernel/kernel.js';
import { ArgusError } from '../model/argus-error.js';
import { setupInProgress } from '../model/environment-error-codes.js';
import { currentRun, releaseLostClaim } from './claim-run.js';
import { environmentOf } from './environment-of.js';
import { livenessOf, ownerLookup } from './liveness.js';
import { runtimesOf } from './look.js';
import { cleanLost, lostHere, notLookedAt } from './lost-runs.js';
import { removalOrder } from './removal-order.js';
import type { TakenDown } from './remove-of-run.js';
import type { RunRecord } from './run-record.js';
import { seizeRun } from './seize-run.js';
import { takeDown } from './take-down.js';

/**
 * Takes down the environment of this folder, also what is there of one whose record was lost. Nothing to take down is fine. `onSeize` is called when nobody else may work on
 * the run any more, before anything of it is touched.
 */
export async function cleanCurrentRun(
  kernel: Kernel,
  signal: AbortSignal,
  onSeize: (run: RunRecord) => Promise<void> = async () => undefined,
): Promise<TakenDown> {
  const run = await currentRun(kernel);
  const seized = run && (await seizeRun(kernel, run.id, 'stopping', (now) => refuseIfBusy(kernel, now)));
  if (!seized) {
    await releaseLostClaim(kernel);
    return cleanLost(kernel, signal);
  }
  await onSeize(seized);
  const { services } = environmentOf(kernel.config, kernel.project);
  const current = await takeDown(kernel, seized, services, signal);
  const lost = await cleanLost(kernel, signal);
  return { removed: [...current.removed, ...lost.removed], failed: [...current.failed, ...lost.failed] };
}

/** What would be taken down, in the order in which it would, and where nobody could look for more. */
export async function currentResources(kernel: Kernel, signal: AbortSignal): Promise<TakenDown> {
  const run = await currentRun(kernel);
  const lost = await lostHere(kernel, signal);
  const failed = lost.unknown.map((one) => notLookedAt(kernel, one));
  if (!run) return { removed: [...lost.resources], failed };
  const query = { project: run.project, runId: run.id };
  const { services } = environmentOf(kernel.config, kernel.project);
  const runtimes = runtimesOf(kernel, run, services);
  const found = await Promise.all(runtimes.map((runtime) => runtime.resources(query, signal)));
  return { removed: [...removalOrder(found.flat(), services).flat(), ...lost.resources], failed };
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
