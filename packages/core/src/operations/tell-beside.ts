import { runsOfOtherNames, unknownBeside } from '../environment/runs-beside.js';
import type { Kernel } from '../kernel/kernel.js';
import type { OperationContext } from '../model/operation.js';
import { settleDamage } from '../state/store-notices.js';

type Notify = OperationContext['notify'];

/** Tells of what was set up in this folder under another project name, except for a run that was asked for. */
export async function tellOtherNames(kernel: Kernel, notify: Notify, except?: string): Promise<void> {
  if (!notify) return;
  for (const notice of await runsOfOtherNames(kernel)) if (notice.details.run !== except) notify(notice);
}

/** Tells of what is in this folder that this store does not know; where nothing is, a damage of the store is settled here. */
export async function tellUnknown(kernel: Kernel, signal: AbortSignal, notify: Notify): Promise<void> {
  if (!notify) return;
  const { notices, isNothingLost } = await unknownBeside(kernel, signal);
  for (const notice of notices) notify(notice);
  if (isNothingLost) await settleDamage(kernel);
}
