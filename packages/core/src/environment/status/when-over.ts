import type { Kernel } from '../../kernel/kernel.js';
import { pause } from '../../time/pause.js';
import { readRun } from '../runs/runs.js';

/** How long after the end of a run nobody may know of it. */
const intervalMs = 1_000;

/** Resolves when a run has no record any more, because it was taken down. Rejects when the signal aborts. */
export async function whenOver(
  { store, clock }: Pick<Kernel, 'store' | 'clock'>,
  runId: string,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    // What cannot be read now may be read the next time; until then nobody can say that it is over.
    const isThere = await readRun(store, runId).then(
      (run) => run !== undefined,
      () => true,
    );
    if (!isThere) return;
    await pause(clock, intervalMs, signal);
  }
}
