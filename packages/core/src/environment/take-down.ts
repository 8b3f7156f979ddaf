import type { Kernel } from '../kernel/kernel.js';
import { toStructuredError } from '../model/to-structured-error.js';
import { releaseClaim } from './claim-run.js';
import { endLeftCommands } from './end-left-commands.js';
import { runtimesOf, usedRuntimes } from './look.js';
import { type NotTakenDown, recordLeft, remnantsOf } from './remnants.js';
import { removalOrder } from './removal-order.js';
import { removeAll } from './remove-all.js';
import type { Removal, Resource } from './resource.js';
import type { RunRecord } from './run-record.js';
import { abandonRun, changeRun, forgetRun, readRun } from './runs.js';
import type { Runtime } from './runtime.js';
import type { ServiceSpec } from './service-spec.js';

/** What was taken down, and what could not be. */
export interface TakenDown {
  readonly removed: Resource[];
  readonly failed: NotTakenDown[];
}

/**
 * Takes a run down: dependents before what they depend on, then what the run itself had. The record goes last, and stays
 * when something could not be removed, so that whoever tries again finds it.
 */
export async function takeDown(
  kernel: Kernel,
  run: RunRecord,
  services: readonly ServiceSpec[],
  signal: AbortSignal,
): Promise<TakenDown> {
  const unmarked = await attempt(kernel, run, () =>
    changeRun(kernel.store, run.id, (record) => ({ ...record, state: 'stopping', owner: run.owner })),
  );
  const latest = (unmarked ? undefined : await readRun(kernel.store, run.id)) ?? run;
  // First: they use what is about to go.
  await endLeftCommands(kernel, latest);
  const runtimes = runtimesOf(kernel, latest, services);
  const listed = await Promise.all(runtimes.map((runtime) => resourcesOf(kernel, runtime, latest, signal)));
  const all = listed.flatMap(({ resources }) => resources);

  const removals: Removal[] = [];
  for (const level of removalOrder(all, services)) removals.push(...(await removeAll(kernel, level, signal)));
  const failed = [
    ...(unmarked ? [unmarked] : []),
    ...listed.flatMap(({ left }) => left),
    ...unloaded(kernel, latest),
    ...removals.flatMap((one) => (one.removed ? [] : [{ resource: one.resource, error: one.error }])),
  ];
  const unended = await attempt(kernel, run, () => endRecord(kernel, run, failed.length === 0));
  if (unended) failed.push(unended);
  return { removed: removals.flatMap((one) => (one.removed ? [one.resource] : [])), failed };
}

async function endRecord(kernel: Kernel, run: RunRecord, isGone: boolean): Promise<void> {
  if (!isGone) return abandonRun(kernel.store, run.id);
  // Whoever is cut off in between has left something by which the next one finds the rest.
  try {
    await kernel.hooks.afterStop.promise(run);
  } catch {
    // What plugins keep for a run, such as its ports, counts only as long as its record does.
  }
  await forgetRun(kernel.store, run.id);
  await releaseClaim(kernel, run);
}

/** Does something with the record that must not keep the rest from being done; gives what went wrong. */
async function attempt(
  kernel: Kernel,
  run: RunRecord,
  work: () => Promise<void>,
): Promise<NotTakenDown | undefined> {
  try {
    await work();
    return undefined;
  } catch (thrown) {
    return recordLeft(kernel, run, toStructuredError(thrown, kernel.clock.now()).message);
  }
}

/** What a runtime has of a run. One that cannot say must not keep the others from being taken down. */
async function resourcesOf(
  kernel: Kernel,
  runtime: Runtime,
  run: RunRecord,
  signal: AbortSignal,
): Promise<{ resources: Resource[]; left: NotTakenDown[] }> {
  try {
    return { resources: await runtime.resources({ project: run.project, runId: run.id }, signal), left: [] };
  } catch (thrown) {
    const reason = toStructuredError(thrown, kernel.clock.now()).message;
    return { resources: [], left: remnantsOf(kernel, run, runtime.name, reason) };
  }
}

/** Runtimes that the run has used and that no plugin brings any more: what they have of it cannot even be listed. */
function unloaded(kernel: Kernel, run: RunRecord): NotTakenDown[] {
  return [...usedRuntimes(run)]
    .filter((name) => !kernel.runtimes.has(name))
    .flatMap((name) => remnantsOf(kernel, run, name, 'no loaded plugin brings this runtime'));
}
