import { abandonRun, forgetRun, leftCommands, type RunRecord, readRun, seizeDeadRun } from '@argusai/core';
import type { OrphanParts } from './orphan-parts.js';

/** A run that is over and that nobody else can revive or clear away until it is let go. */
export interface HeldRun {
  /** What the store had of it; nothing when it had nothing. */
  readonly record?: RunRecord;
}

/**
 * Takes a run that is over, so that what it left can be removed without a race: from the moment of judging it to the
 * removal it counts as being stopped by this process. A setup that wanted to revive it, or a second clean-up, finds
 * that somebody is at it. Gives nothing when the run is alive.
 */
export async function holdRun(parts: OrphanParts, runId: string): Promise<HeldRun | undefined> {
  const record = await seizeDeadRun(parts, runId);
  if (record) return { record };
  // The id of a run that has no record any more is never used again.
  return (await readRun(parts.store, runId)) ? undefined : {};
}

/** Forgets a run for good, unless a command of it is left that only its record knows. Whatever else could not be removed is an orphan without a record from now on. */
export async function letGo({ store, hooks }: OrphanParts, { record }: HeldRun): Promise<void> {
  if (!record) return;
  // Nothing but its record tells of a command that was not to be ended, and whoever ends it has to find it.
  if ((await leftCommands(record)).length > 0) return abandonRun(store, record.id);
  await forgetRun(store, record.id);
  try {
    await hooks.afterStop.promise(record);
  } catch {
    // What others keep for a run, such as its ports, is judged by the run's record, and that is gone.
  }
}
