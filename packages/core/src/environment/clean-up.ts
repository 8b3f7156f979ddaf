import { hostname } from 'node:os';
import type { Kernel } from '../kernel/kernel.js';
import { ArgusError } from '../model/argus-error.js';
import { setupInProgress } from '../model/environment-error-codes.js';
import { currentRun } from './claim-run.js';
import { environmentOf } from './environment-of.js';
import { livenessOf, ownerLookup } from './liveness.js';
import { runtimesOf } from './look.js';
import { ownIdentity } from './process-identity.js';
import type { Resource } from './resource.js';
import type { RunRecord } from './run-record.js';
import { changeRun } from './runs.js';
import { type TakenDown, takeDown } from './take-down.js';

/** Takes down the environment of this folder. Nothing to take down is fine. */
export async function cleanCurrentRun(kernel: Kernel, signal: AbortSignal): Promise<TakenDown> {
  const run = await currentRun(kernel);
  if (!run) return { removed: [], failed: [] };
  await refuseIfBusy(kernel, run);
  const owner = await ownIdentity();
  await changeRun(kernel.store, run.id, (record) => ({ ...record, owner }));
  const { services } = environmentOf(kernel.config, kernel.project);
  return takeDown(kernel, { ...run, owner }, services, signal);
}

/** What would be taken down. */
export async function currentResources(kernel: Kernel, signal: AbortSignal): Promise<Resource[]> {
  const run = await currentRun(kernel);
  if (!run) return [];
  const query = { project: run.project, runId: run.id };
  const { services } = environmentOf(kernel.config, kernel.project);
  const runtimes = runtimesOf(kernel, run, services);
  const found = await Promise.all(runtimes.map((runtime) => runtime.resources(query, signal)));
  return found.flat();
}

/** A run that another process is starting or stopping is left to it. */
async function refuseIfBusy({ clock }: Kernel, run: RunRecord): Promise<void> {
  if (run.state === 'up') return;
  const { alive } = await livenessOf(run, clock.now(), ownerLookup(hostname()));
  if (!alive) return;
  const { pid, host } = run.owner;
  throw new ArgusError(setupInProgress, {
    message: `The environment is being ${run.state === 'starting' ? 'started' : 'stopped'} by process ${pid} on ${host}`,
    details: { runId: run.id, pid, host },
  });
}
