import type { Kernel } from '../../kernel/kernel.js';
import { ArgusError } from '../../model/argus-error.js';
import { usageInvalid } from '../../model/core-error-codes.js';
import { nearest } from '../../model/nearest.js';
import { requireSight } from '../../state/blindness.js';
import type { Resource } from '../ownership/resource.js';
import { currentRun } from './claim-run.js';
import { isGone } from './is-gone.js';
import { lostHere } from './lost-here.js';
import type { RunRecord } from './run-record.js';
import { readRun, runsIn, runsOf } from './runs.js';
import { standIn } from './stand-in.js';

/** A run that somebody means. */
export interface FoundRun {
  /** Its record, or as much of it as labels can tell. */
  readonly run: RunRecord;
  /** What is there of it, in the order in which it is removed, when its record was lost. */
  readonly lost?: readonly Resource[];
}

/** What is to be done with a run that is named: to end it takes more than to look at it. */
export type RunUse = 'look' | 'end';

/**
 * The run that is meant: the one with the given id, or without one that of this folder. What goes on in a folder that is there is
 * ended from there only, because whoever works in it is found there.
 */
export async function findRun(
  kernel: Kernel,
  id: string | undefined,
  use: RunUse,
  signal: AbortSignal,
): Promise<FoundRun | undefined> {
  if (id === undefined) {
    await requireProject(kernel);
    const run = await currentRun(kernel);
    return run && { run };
  }
  const { store, project } = kernel;
  const run = await readRun(store, id);
  if (run) {
    if (isWithinReach(kernel, run, use)) return { run };
    throw elsewhere(run);
  }
  const lost = await lostHere(kernel, signal);
  const own = lost.resources.filter(({ runId }) => runId === id);
  if (own.length > 0) return { run: standIn(id, own), lost: own };
  requireSight(store);
  const recorded = [...(await runsIn(store, project.dir)), ...(await runsOf(store, project.name))];
  const known = [...recorded.filter((one) => isWithinReach(kernel, one, use)), ...lost.resources];
  throw unknownRun(id, [...new Set(known.map((one) => ('runId' in one ? one.runId : one.id)))]);
}

/** Whether a run may be meant here. */
function isWithinReach({ project }: Kernel, run: RunRecord, use: RunUse): boolean {
  const isNear = run.worktree === project.dir || (use === 'look' && run.project === project.name);
  return isNear || isGone(run.worktree);
}

/** Whether the configuration of this folder is that of a run, so that it tells of the run's services. */
export function isConfigured({ project, configProblem }: Kernel, run: RunRecord): boolean {
  return configProblem === undefined && run.project === project.name && run.worktree === project.dir;
}

/** Where the configuration is broken and several runs are here, nobody but the user knows which one is meant. */
async function requireProject({ project, store }: Kernel): Promise<void> {
  if (project.name !== '') return;
  const runs = await runsIn(store, project.dir);
  const named = runs.map((run) => `${run.id} (${run.project})`).join(', ');
  throw new ArgusError(usageInvalid, {
    message: `The configuration cannot be read, and several runs were set up here; name the one that is meant: ${named}`,
    details: { known: runs.map(({ id }) => id) },
  });
}

function elsewhere({ id, project, worktree }: RunRecord): ArgusError {
  return new ArgusError(usageInvalid, {
    message: `The run ${id} belongs to ${project} in ${worktree}; ask for it there`,
    details: { run: id, project, worktree },
  });
}

function unknownRun(id: string, known: readonly string[]): ArgusError {
  const suggestion = nearest(id, known);
  const named = suggestion ? `did you mean ${suggestion}?` : `known here: ${known.join(', ')}`;
  const rest = known.length === 0 ? 'none is known here' : named;
  return new ArgusError(usageInvalid, {
    message: `There is no run ${id}; ${rest}`,
    details: { run: id, known: [...known] },
  });
}
