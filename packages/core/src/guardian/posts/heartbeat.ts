import type { RunGuardian } from '../../environment/runs/run-record.js';
import type { Kernel } from '../../kernel/kernel.js';
import type { JsonObject } from '../../model/json.js';
import { pause } from '../../time/pause.js';

/** Whose sign of life was noted last for a run, and when. Apart from the run's record, whose every change wakes all who follow it. */
const namespace = 'guardian-beats';

/** How often a guardian gives a sign of life, and after how long without one it is said to be silent, in milliseconds. */
const beat = { everyMs: 2_000, silentMs: 10_000 };

type Signs = Pick<Kernel, 'store' | 'clock'>;

/** Gives signs of life while a guardian is at its post, until the signal aborts. A process that was stopped or hangs gives none. */
export async function giveSigns({ store, clock }: Signs, runId: string, id: string, signal: AbortSignal) {
  while (!signal.aborted) {
    try {
      await store.put(namespace, runId, { id, at: clock.now() });
    } catch {
      // The store may answer the next time; meanwhile others see that nothing was noted, which is true.
    }
    await pause(clock, beat.everyMs, signal).catch(() => undefined);
  }
}

/** For how long a guardian has given no sign of life, where that is longer than it should be. Those of earlier versions give none at all. */
export async function silenceOf(
  { store, clock }: Signs,
  runId: string,
  { id }: Pick<RunGuardian, 'id'>,
): Promise<number | undefined> {
  const { id: whose, at } = ((await store.get(namespace, runId))?.value ?? {}) as JsonObject;
  if (whose !== id || typeof at !== 'number') return undefined;
  const ms = clock.now() - at;
  return ms > beat.silentMs ? ms : undefined;
}

/** Forgets the signs of life of a run that is over. */
export async function forgetSigns(store: Kernel['store'], runId: string): Promise<void> {
  await store.delete(namespace, runId);
}
