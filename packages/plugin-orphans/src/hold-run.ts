import {
  abandonRun,
  forgetRun,
  leftCommands,
  type RunRecord,
  readRun,
  seizeDeadRun,
  usedRuntimes,
} from '@argusai/core';
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

/** Forgets a run for good when nothing is left of it. Its record goes last: by it whoever comes next finds the rest. */
export async function letGo(
  parts: OrphanParts,
  { record }: HeldRun,
  isCleared: boolean,
  signal: AbortSignal,
): Promise<void> {
  if (!record) return;
  const { store, hooks } = parts;
  if (!isCleared || (await isAnythingLeft(parts, record, signal))) return abandonRun(store, record.id);
  await forgetRun(store, record.id);
  try {
    await hooks.afterStop.promise(record);
  } catch {
    // What others keep for a run, such as its ports, is judged by the run's record, and that is gone.
  }
}

/** Also what was not to be removed, such as a command that only the record tells of, or what the configuration keeps. */
async function isAnythingLeft(parts: OrphanParts, run: RunRecord, signal: AbortSignal): Promise<boolean> {
  if ((await leftCommands(run)).length > 0) return true;
  const used = usedRuntimes(run);
  if ([...used].some((name) => !parts.runtimes.has(name))) return true;
  const asked = new Set([
    ...(await parts.needed()),
    ...parts.runtimes.values().filter(({ name }) => used.has(name)),
  ]);
  try {
    const query = { project: run.project, runId: run.id };
    const lists = await Promise.all([...asked].map((runtime) => runtime.resources(query, signal)));
    return lists.some(({ length }) => length > 0);
  } catch {
    // Where nobody can look there may be something.
    return true;
  }
}
