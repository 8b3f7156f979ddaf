import { hostname } from 'node:os';
import { ownerLookup } from '../../environment/ownership/liveness.js';
import { readRun } from '../../environment/runs/runs.js';
import type { Kernel } from '../../kernel/kernel.js';
import { ArgusError } from '../../model/argus-error.js';
import { usageInvalid } from '../../model/core-error-codes.js';
import { pause } from '../../time/pause.js';

/** How long a guardian may take to be in its place, in milliseconds. */
const patience = { limitMs: 20_000, pollMs: 20 };

/** Whether a background guardian is in its place, or where it may have said why not. */
export type Launched =
  | { readonly guarding: true; readonly pid: number; readonly since: number }
  | { readonly guarding: false; readonly log: string };

/** Refuses to promise a guardian where nobody has said how to start one. */
export function requireLaunch({ launchGuardian }: Pick<Kernel, 'launchGuardian'>): void {
  if (launchGuardian) return;
  throw new ArgusError(usageInvalid, { message: 'A guardian in the background cannot be started from here' });
}

/** Starts a background guardian for a run and waits until it is in its place. */
export async function launchGuardian(kernel: Kernel, runId: string, signal: AbortSignal): Promise<Launched> {
  const { clock } = kernel;
  const { log = '' } = (await kernel.launchGuardian?.(runId)) ?? {};
  const giveUpAt = clock.monotonic() + patience.limitMs;
  while (clock.monotonic() < giveUpAt && !signal.aborted) {
    const launched = await livingGuardian(kernel, runId);
    if (launched) return launched;
    await pause(clock, patience.pollMs, signal).catch(() => undefined);
  }
  return { guarding: false, log };
}

/** The guardian of a run, if there is one that lives. */
export async function livingGuardian(
  { store }: Kernel,
  runId: string,
): Promise<Extract<Launched, { guarding: true }> | undefined> {
  const guardian = (await readRun(store, runId))?.guardian;
  if (!guardian || (await ownerLookup(hostname())(guardian)) !== 'alive') return undefined;
  const { pid, since } = guardian;
  return { guarding: true, pid, since };
}
