import type { Kernel } from '../kernel/kernel.js';
import type { Json } from '../model/json.js';
import { ownIdentity } from './process-identity.js';
import type { RunRecord } from './run-record.js';
import { runsNamespace } from './runs.js';

/** Another machine cannot see whether this process lives, so for it a seizure lasts at least this long, in milliseconds. */
const holdMs = 600_000;

/**
 * Makes this process the one that starts or stops a run, if `may` agrees with how the run is at that very moment; of two
 * who try it at once one gets it. Nothing when the run is gone or it may not be taken.
 */
export async function seizeRun(
  { store, clock }: Kernel,
  id: string,
  state: 'starting' | 'stopping',
  may: (run: RunRecord) => boolean | Promise<boolean>,
): Promise<RunRecord | undefined> {
  const owner = await ownIdentity();
  for (;;) {
    const document = await store.get(runsNamespace, id);
    const current = document?.value as unknown as RunRecord | undefined;
    if (!document || !current || !(await may(current))) return undefined;
    const leaseUntil = Math.max(current.leaseUntil, clock.now() + holdMs);
    const next: RunRecord = { ...current, owner, state, leaseUntil };
    const condition = { ifRevision: document.revision };
    const { stored } = await store.put(runsNamespace, id, next as unknown as Json, condition);
    if (stored) return next;
  }
}
