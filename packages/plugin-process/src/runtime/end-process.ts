import { pause, toStructuredError } from '@argusai/core';
import { markName } from '../command/marks.js';
import { carries, membersOf } from '../programs/process-table.mjs';
import { ownEnds } from '../records/own-ends.js';
import { type ProcessRecord, recordId } from '../records/process-record.js';
import { glance, isPaused, type Sighting } from '../records/sighting.js';
import { keepsOthers } from '../system/keepers.js';
import { endStrays } from './end-strays.js';
import type { Tools } from './tools.js';

const killPatienceMs = 1_000;
const killAttempts = 5;
const longestPollMs = 100;

/** How to end a process. */
export interface EndOptions {
  /** How long it may take to stop by itself. */
  readonly graceMs: number;
  /** Leave its folder and its record for its successor. */
  readonly keepFolder?: boolean;
  readonly signal?: AbortSignal;
  /** Called when the time was up, before it is killed. */
  readonly onOverdue?: () => void;
}

/**
 * Ends the process group of a record and its keeper, then what has left that group, and removes what is known of them. Returns why not, when
 * something is left. Nothing gets a signal that is not provably what the record speaks of.
 */
export async function endProcess(
  tools: Tools,
  record: ProcessRecord,
  { graceMs, keepFolder = false, signal, onOverdue }: EndOptions,
): Promise<string | undefined> {
  const sighting = await glance(record);
  if (!sighting.isHere) return `it runs on ${record.host}`;
  if (graceMs > 0) {
    await askToStop(tools, sighting);
    if (!(await untilGone(tools, record, graceMs, { signal })) && !signal?.aborted) onOverdue?.();
  }
  if (signal?.aborted) return 'the removal was cancelled before it had stopped';
  const left =
    (await kill(tools, record)) ??
    (await endStrays(tools.clock, record, { graceMs, ...(signal ? { signal } : {}) }));
  if (left !== undefined) return left;
  if (keepFolder) return undefined;
  try {
    await tools.records.noteEnds(record, ownEnds(sighting));
  } catch {
    // Only a check would have counted them; that the process is gone must be possible also where nothing can be written.
  }
  return forget(tools, record);
}

/** Removes what is known of a process that has ended. That it has is worth saying where the rest cannot be done. */
async function forget({ records }: Tools, record: ProcessRecord): Promise<string | undefined> {
  try {
    await records.remove(record);
    return undefined;
  } catch (thrown) {
    return `it has ended, but what is kept of it in ${record.dir} could not be removed: ${toStructuredError(thrown).message}`;
  }
}

async function askToStop({ keepers }: Tools, sighting: Sighting): Promise<void> {
  const { record, keeperLives, childLives, state } = sighting;
  const isTold = keeperLives && state && (await keepers.stop(record.dir, state, 'SIGTERM'));
  if (!isTold && childLives && state?.child) send(-state.child.pid, 'SIGTERM');
  // What does nothing would not hear of it.
  if (state?.child && isPaused(sighting)) send(-state.child.pid, 'SIGCONT');
}

async function kill(tools: Tools, record: ProcessRecord): Promise<string | undefined> {
  const { keeperLives, state } = await glance(record);
  if (keeperLives && state) {
    // It knows for certain which group is its own, also when the leader is gone.
    const isTold = await tools.keepers.stop(record.dir, state, 'SIGKILL');
    if (isTold && (await untilGone(tools, record, killPatienceMs))) return undefined;
  }
  for (let attempt = 0; attempt < killAttempts; attempt += 1) {
    const now = await glance(record);
    const child = now.state?.child;
    if (child && (now.childLives || remainsOf(now).areOurs)) send(-child.pid, 'SIGKILL');
    if (!(await untilGone(tools, record, killPatienceMs, { keeperToo: false }))) continue;
    // One that hangs with others may go on. It then finds that this one is not its own any more.
    if (!now.keeperLives || !now.state || (await keepsOthers(record.dir, now.state))) return undefined;
    send(now.state.keeper.pid, 'SIGKILL');
    if (await untilGone(tools, record, killPatienceMs)) return undefined;
  }
  return `it is still there ${(killAttempts * killPatienceMs) / 1_000} s after SIGKILL`;
}

/**
 * What is left of a group whose leader has ended. Its number may have been used again by then, so that it is ours only
 * when one of its members carries our mark. One of which that cannot be told at this moment is waited for, not signalled.
 */
function remainsOf({ record, state }: Sighting): { count: number; areOurs: boolean } {
  const members = state?.child ? membersOf(state.child.pid) : [];
  const marks = members.map((pid) => carries(pid, markName, recordId(record)));
  const areOurs = marks.includes(true);
  return { areOurs, count: areOurs ? members.length : marks.filter((mark) => mark === undefined).length };
}

async function untilGone(
  { clock }: Tools,
  record: ProcessRecord,
  patienceMs: number,
  {
    signal,
    keeperToo = true,
  }: { readonly signal?: AbortSignal | undefined; readonly keeperToo?: boolean } = {},
): Promise<boolean> {
  const giveUpAt = clock.monotonic() + patienceMs;
  for (let pollMs = 5; ; pollMs = Math.min(pollMs * 1.5, longestPollMs)) {
    const sighting = await glance(record);
    const isKept = keeperToo && sighting.keeperLives;
    if (!isKept && !sighting.childLives && remainsOf(sighting).count === 0) return true;
    const leftMs = giveUpAt - clock.monotonic();
    if (leftMs <= 0 || signal?.aborted) return false;
    // It rejects only because of the signal, and then one more look is the last.
    await pause(clock, Math.min(pollMs, leftMs), signal).catch(() => undefined);
  }
}

/** Signals a process, or with a negative number its group. */
function send(pid: number, signal: NodeJS.Signals): void {
  // To the system 0 means one's own group, and -1 everybody. No record can mean that.
  if (Math.abs(pid) <= 1) return;
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended in this moment, or it may not be signalled; which of the two, the next look tells.
  }
}
