import { hostname } from 'node:os';
import { type OwnerLookup, ownerLookup } from '../ownership/liveness.js';
import type { RunRecord } from './run-record.js';

/**
 * A run as it is, whatever its record says of a setup that has died: one that was up before that setup began is up still, with
 * what there is of its services, and for those who held it. Somebody works with it.
 */
export async function asItIs(
  run: RunRecord,
  lookUp: OwnerLookup = ownerLookup(hostname()),
): Promise<RunRecord> {
  const { upBefore } = run;
  if (run.state !== 'starting' || !upBefore || (await lookUp(run.owner)) !== 'dead') return run;
  const { upBefore: _, holders: __, ...rest } = run;
  return { ...rest, ...upBefore, state: 'up' };
}

/** The record that says that somebody begins to start or stop a run, and what it was if that was up. */
export function seizedAs(
  run: RunRecord,
  state: 'starting' | 'stopping',
  rest: Pick<RunRecord, 'owner' | 'leaseUntil'>,
): RunRecord {
  const { upBefore: _, ...current } = run;
  if (state === 'stopping' || run.state !== 'up') return { ...current, ...rest, state };
  const { owner, leaseUntil, holders } = run;
  const upBefore = { owner, leaseUntil, ...(holders ? { holders } : {}) };
  return { ...current, ...rest, state, upBefore };
}

/** The record of a run that is up, with nothing left of the setup that made it so. */
export function nowUp({ upBefore: _, ...run }: RunRecord): RunRecord {
  return { ...run, state: 'up' };
}
