import { processStart, unknownStart } from '../processes/process-identity.js';
import type { RunOwner, RunRecord } from '../runs/run-record.js';

/** What is known about whether a run goes on: it does, or it is over and why. */
export type Liveness = { readonly alive: true } | { readonly alive: false; readonly why: string };

/** How to find out whether the process that owns a run still lives; `unknown` for another machine's. */
export type OwnerLookup = (owner: RunOwner) => Promise<'alive' | 'dead' | 'unknown'>;

/** Looks on this machine. */
export function ownerLookup(host: string): OwnerLookup {
  return async ({ host: theirs, pid, startedAt }) => {
    if (theirs !== host || startedAt === unknownStart) return 'unknown';
    try {
      return (await processStart(pid)) === startedAt ? 'alive' : 'dead';
    } catch {
      // It could not be looked at, and what is not known to be dead is left alone.
      return 'unknown';
    }
  };
}

/**
 * Whether a run goes on. One that is up stays alive without its starter until its lease runs out, unless it was set up
 * for somebody: then as long as one of those lives. One that was being started or stopped is over when the process that
 * did it is, unless it was up before it was started anew. Of another machine's process only the lease tells.
 */
export async function livenessOf(
  run: Pick<RunRecord, 'state' | 'owner' | 'leaseUntil' | 'holders' | 'upBefore'> | undefined,
  now: number,
  lookUp: OwnerLookup,
): Promise<Liveness> {
  if (run === undefined) return { alive: false, why: 'there is no record of its run' };
  if (run.state === 'up' && run.holders) {
    const holders = await Promise.all(run.holders.map(lookUp));
    if (holders.includes('alive')) return { alive: true };
    if (!holders.includes('unknown')) return { alive: false, why: 'whoever it was set up for has gone' };
  }
  if (run.state === 'up')
    return now < run.leaseUntil ? { alive: true } : { alive: false, why: 'its lease ran out' };
  const owner = await lookUp(run.owner);
  if (owner === 'alive') return { alive: true };
  // What was up before a setup that died is up still: somebody works with it.
  if (owner === 'dead' && run.state === 'starting' && run.upBefore)
    return livenessOf({ ...run.upBefore, state: 'up' }, now, lookUp);
  if (owner === 'dead') return { alive: false, why: `its run died while ${run.state}` };
  return now < run.leaseUntil
    ? { alive: true }
    : { alive: false, why: `its run did not finish ${run.state}` };
}
