import { hostname } from 'node:os';
import type { Kernel } from '../../kernel/kernel.js';
import type { Json } from '../../model/json.js';
import { type OwnerLookup, ownerLookup } from '../ownership/liveness.js';
import { ownIdentity } from '../processes/process-identity.js';
import { asItIs, seizedAs } from './interrupted.js';
import { livenessOfRecord } from './judge-resource.js';
import type { RunOwner, RunRecord } from './run-record.js';
import { runsNamespace } from './runs.js';

/** Another machine cannot see whether this process lives, so for it a seizure lasts at least this long, in milliseconds. */
const holdMs = 600_000;

/** Where runs are recorded, and who seizes one: this process, unless somebody else is named. */
export interface Seizing extends Pick<Kernel, 'store' | 'clock'> {
  /** Who seizes; this process when left out. */
  readonly owner?: () => Promise<RunOwner>;
}

/** How to tell, besides, whether the process that works on a run lives; on this machine when left out. */
export interface SeizingDead extends Seizing {
  readonly lookUp?: OwnerLookup;
}

/**
 * Makes this process the one that starts or stops a run, if `may` agrees with how the run is at that very moment; of two
 * who try it at once one gets it. Nothing when the run is gone or it may not be taken.
 */
export async function seizeRun(
  { store, clock, owner: whoAmI = ownIdentity }: Seizing,
  id: string,
  state: 'starting' | 'stopping',
  may: (run: RunRecord) => boolean | Promise<boolean>,
): Promise<RunRecord | undefined> {
  const owner = await whoAmI();
  for (;;) {
    const document = await store.get(runsNamespace, id);
    if (!document) return undefined;
    const current = await asItIs(document.value as unknown as RunRecord);
    if (!(await may(current))) return undefined;
    const leaseUntil = Math.max(current.leaseUntil, clock.now() + holdMs);
    const next = seizedAs(current, state, { owner, leaseUntil });
    const condition = { ifRevision: document.revision };
    const { stored } = await store.put(runsNamespace, id, next as unknown as Json, condition);
    if (stored) return next;
  }
}

/** Makes this process the one that stops a run that is over, to clear away what is left of it. Nothing when it is alive or gone. */
export function seizeDeadRun(seizing: SeizingDead, id: string): Promise<RunRecord | undefined> {
  const { clock, lookUp = ownerLookup(hostname()) } = seizing;
  const isOver = async (run: RunRecord) => !(await livenessOfRecord(run, clock.now(), lookUp)).alive;
  return seizeRun(seizing, id, 'stopping', isOver);
}
