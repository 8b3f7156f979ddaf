import type { Kernel } from '../../kernel/kernel.js';
import { takeDown } from '../removal/take-down.js';
import type { RunRecord } from '../runs/run-record.js';
import { runsOf } from '../runs/runs.js';
import { seizeDeadRun } from '../runs/seize-run.js';
import type { ServiceSpec } from '../services/service-spec.js';

/**
 * Ends what is left of earlier runs of the same folder that are over, down to their records: the run that is being set
 * up has taken their place. Usually there is nothing but a record, because orphans were removed before.
 */
export async function supersede(
  kernel: Kernel,
  run: RunRecord,
  services: readonly ServiceSpec[],
  signal: AbortSignal,
): Promise<void> {
  const { store, config } = kernel;
  if (!config.resilience.preflight.cleanOrphans) return;
  for (const earlier of await runsOf(store, run.project)) {
    if (earlier.id === run.id || earlier.worktree !== run.worktree) continue;
    const seized = await seizeDeadRun(kernel, earlier.id);
    if (seized) await takeDown(kernel, seized, services, signal);
  }
}
