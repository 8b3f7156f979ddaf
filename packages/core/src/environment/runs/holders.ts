import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Kernel } from '../../kernel/kernel.js';
import { ownerLookup } from '../ownership/liveness.js';
import { ownIdentity } from '../processes/process-identity.js';
import type { RunHolder, RunRecord } from './run-record.js';
import { changeRun } from './runs.js';
import { seizeRun } from './seize-run.js';

/** Somebody of this process for whom a run can be set up. */
export async function newHolder(): Promise<RunHolder> {
  return { ...(await ownIdentity()), id: randomUUID() };
}

/**
 * The record of a run that is used once more: by a holder, or without one by somebody who wants it to stay. A run that
 * stays by itself is not made to end by whoever only uses it.
 */
export function withHolder(run: RunRecord, holder: RunHolder | undefined): RunRecord {
  const { holders, ...rest } = run;
  if (!holders || !holder) return rest;
  return { ...rest, holders: [...holders.filter(({ id }) => id !== holder.id), holder] };
}

/**
 * Lets go of a run. Gives it to be taken down when it was there only for those who hold it and this was the last of them;
 * of two who let go at the same moment one gets it.
 */
export async function letGo(
  kernel: Pick<Kernel, 'store' | 'clock'>,
  runId: string,
  holder: RunHolder,
): Promise<RunRecord | undefined> {
  await changeRun(kernel.store, runId, (run) =>
    run.holders ? { ...run, holders: run.holders.filter(({ id }) => id !== holder.id) } : undefined,
  );
  const lookUp = ownerLookup(hostname());
  return seizeRun(kernel, runId, 'stopping', async ({ state, holders }) => {
    if (state !== 'up' || !holders) return false;
    const others = await Promise.all(holders.map(lookUp));
    return others.every((other) => other === 'dead');
  });
}
