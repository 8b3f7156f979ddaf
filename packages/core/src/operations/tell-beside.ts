import type { CircuitBreakerState } from '../circuit/circuit-state.js';
import { currentRun } from '../environment/runs/claim-run.js';
import type { RunUse } from '../environment/runs/find-run.js';
import type { Unlooked } from '../environment/runs/lost-here.js';
import { neededRuntimes } from '../environment/runs/needed-runtimes.js';
import { runsOfGoneFolders, runsOfOtherNames, unknownBeside } from '../environment/runs/runs-beside.js';
import { environmentOf } from '../environment/services/environment-of.js';
import type { Kernel } from '../kernel/kernel.js';
import { counted } from '../model/counted.js';
import { isErrorOf } from '../model/error-code.js';
import type { OperationContext } from '../model/operation.js';
import { runOfOtherStore } from '../model/run-error-codes.js';
import { settleDamage } from '../state/store-notices.js';

type Notify = OperationContext['notify'];

/**
 * Tells of what was set up in this folder under another project name, and of what this project has from a folder that is gone,
 * except for a run that was asked for.
 */
export async function tellBeside(kernel: Kernel, notify: Notify, except?: string): Promise<void> {
  if (!notify) return;
  const beside = [...(await runsOfOtherNames(kernel)), ...(await runsOfGoneFolders(kernel))];
  for (const notice of beside) if (notice.details.run !== except) notify(notice);
}

/** What may be here although no run of this folder is recorded. */
export interface Unrecorded {
  /** The runs of another state folder. */
  readonly foreign: readonly string[];
  readonly unlooked: readonly Unlooked[];
}

/** Where it was not asked, or there is nothing. */
export const nothingUnrecorded: Unrecorded = { foreign: [], unlooked: [] };

/**
 * Where no run of this folder is recorded, tells of what was set up here with another state folder, and of runtimes that could
 * not be asked: nobody is to take "nothing is recorded" for "nothing is there".
 * Who only looks must not be the one who opens a circuit: for that one, doubtful runtimes are spared that do not answer yet.
 */
export async function tellUnrecorded(
  kernel: Kernel,
  signal: AbortSignal,
  notify: Notify,
  use: RunUse,
): Promise<Unrecorded> {
  const { services } = environmentOf(kernel.config, kernel.project);
  // A project that starts nothing has no need of any runtime, and misses none.
  if (services.length === 0 || (await currentRun(kernel))) return nothingUnrecorded;
  const spared = use === 'look' ? await doubtful(kernel, signal) : [];
  const names = new Set(spared.map(({ runtime }) => runtime));
  const { notices, unlooked } = await unknownBeside(kernel, signal, names);
  // What was lost with a former store is in the answer itself.
  const foreign = notices.filter((notice) => isErrorOf(notice, runOfOtherStore));
  for (const notice of [...foreign, ...unlooked.map(({ error }) => error)]) notify?.(notice);
  return { foreign: foreign.map(({ details }) => details.runId), unlooked: [...spared, ...unlooked] };
}

/** Needed runtimes behind a circuit of their name that has counted faults, and that do not answer beside it either. */
async function doubtful({ circuits, ...kernel }: Kernel, signal: AbortSignal): Promise<Unlooked[]> {
  const needed = (await neededRuntimes(kernel)).map(({ name }) => name);
  const isDoubtful = ({ name, state, failureCount }: CircuitBreakerState) =>
    needed.includes(name) && (state !== 'closed' || failureCount > 0);
  const away: Unlooked[] = [];
  for (const { name, state, failureCount, failureHistory } of (await circuits.states()).filter(isDoubtful)) {
    if (await circuits.isBack(name, signal)) continue;
    const last = failureHistory.at(-1)?.error ?? '';
    const why =
      state === 'closed'
        ? 'it gave no answer when it was last asked'
        : `its circuit is ${state} after ${counted(failureCount, 'failure')}`;
    away.push({ runtime: name, error: { message: `it was not asked now, because ${why}: ${last}` } });
  }
  return away;
}

/** Tells of what is in this folder that this store does not know; where nothing is, a damage of the store is settled here. */
export async function tellUnknown(kernel: Kernel, signal: AbortSignal, notify: Notify): Promise<void> {
  if (!notify) return;
  const { notices, isNothingLost } = await unknownBeside(kernel, signal);
  for (const notice of notices) notify(notice);
  if (isNothingLost) await settleDamage(kernel);
}
