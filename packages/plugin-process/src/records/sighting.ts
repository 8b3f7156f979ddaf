import { hostname } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { processStart } from '@argusai/core';
import { type KeeperState, type ProcessIdentity, readState } from '../programs/keeper-state.mjs';
import { isStopped } from '../programs/process-table.mjs';
import type { ProcessRecord } from './process-record.js';

/** A record and what is true of it now. */
export interface Sighting {
  readonly record: ProcessRecord;
  /** Whether its processes are on this machine; otherwise nothing is known of them. */
  readonly isHere: boolean;
  /** What its keeper has last written, if it ever came so far. */
  readonly state?: KeeperState;
  /** Whether its keeper lives, and has not left it for others that it keeps. */
  readonly keeperLives: boolean;
  /** Whether the process of the command lives. */
  readonly childLives: boolean;
}

const settlingMs = 500;

/** Looks at what a record speaks of. When the command has just ended, waits a moment for the keeper to say how. */
export async function look(record: ProcessRecord): Promise<Sighting> {
  const giveUpAt = performance.now() + settlingMs;
  for (;;) {
    const sighting = await glance(record);
    const isSettled = sighting.childLives || !sighting.keeperLives || sighting.state?.phase !== 'running';
    if (isSettled || performance.now() > giveUpAt) return sighting;
    // Not by the injected clock: this waits for another process, for which time goes on in any case.
    await setTimeout(10);
  }
}

/** Looks at what a record speaks of at this very moment. */
export async function glance(record: ProcessRecord): Promise<Sighting> {
  const isHere = record.host === hostname();
  const state = isHere ? readState(record.dir) : undefined;
  const keeper = state?.released === 'other' ? undefined : state?.keeper;
  const [keeperLives, childLives] = await Promise.all([lives(keeper), lives(state?.child)]);
  return { record, isHere, ...(state ? { state } : {}), keeperLives, childLives };
}

/** Whether a process is still the one that was noted, and not a later one with the same number. */
export async function lives(identity: ProcessIdentity | undefined): Promise<boolean> {
  return identity !== undefined && (await processStart(identity.pid)) === identity.start;
}

/** Whether the command of a service runs and was stopped, so that it does nothing. */
export function isPaused(sighting: Sighting): boolean {
  const pid = sighting.state?.child?.pid;
  return pid !== undefined && isRunning(sighting) && isStopped(pid);
}

/** Whether the command of a service runs. */
export function isRunning({ state, childLives }: Sighting): boolean {
  return childLives && state?.phase === 'running';
}
