import type { Kernel } from '../../kernel/kernel.js';
import { toStructuredError } from '../../model/to-structured-error.js';
import { endLeftCommands } from '../commands/end-left-commands.js';
import { releaseClaim } from '../runs/claim-run.js';
import type { RunRecord } from '../runs/run-record.js';
import { abandonRun, changeRun, forgetRun, readRun } from '../runs/runs.js';
import { usedRuntimes } from '../services/runtime-of.js';
import type { ServiceSpec } from '../services/service-spec.js';
import { type NotTakenDown, recordLeft, remnantsOf } from './remnants.js';
import { removeOfRun } from './remove-of-run.js';
import type { TakenDown } from './taken-down.js';

/**
 * Takes a run down: dependents before what they depend on, then what the run itself had. The record goes last, and stays
 * when something could not be removed, so that whoever tries again finds it.
 */
export async function takeDown(
  kernel: Kernel,
  run: RunRecord,
  services: readonly ServiceSpec[],
  signal: AbortSignal,
  graceMs?: number,
): Promise<TakenDown> {
  const unmarked = await attempt(kernel, run, () =>
    changeRun(kernel.store, run.id, (record) => ({ ...record, state: 'stopping', owner: run.owner })),
  );
  const latest = (unmarked ? undefined : await readRun(kernel.store, run.id)) ?? run;
  // First: they use what is about to go.
  await endLeftCommands(kernel, latest);
  const {
    removed,
    killed,
    failed: kept,
  } = await removeOfRun(kernel, latest, services, () => true, signal, graceMs);
  const failed = [...unloaded(kernel, latest), ...kept];
  // Also where it could not be marked before: what is gone has made room on a full disk.
  const unended = await attempt(kernel, run, () => endRecord(kernel, run, failed.length === 0));
  if (unended) failed.push(unended);
  return { removed, failed, killed };
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

/** Runtimes that the run has used and that no plugin brings any more: what they have of it cannot even be listed. */
function unloaded(kernel: Kernel, run: RunRecord): NotTakenDown[] {
  const hindrance = { message: 'no loaded plugin brings this runtime' };
  return [...usedRuntimes(run)]
    .filter((name) => !kernel.runtimes.has(name))
    .flatMap((name) => remnantsOf(kernel, run, name, hindrance));
}
