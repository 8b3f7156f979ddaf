import { hostname } from 'node:os';
import { ownerLookup } from '../../environment/ownership/liveness.js';
import type { RunGuardian, RunRecord } from '../../environment/runs/run-record.js';
import { readRun } from '../../environment/runs/runs.js';
import type { Kernel } from '../../kernel/kernel.js';
import { pause } from '../../time/pause.js';
import { backgroundGuardian } from './background-guardian.js';
import { silenceOf } from './heartbeat.js';

/** How long a guardian may take to let go of what it does, in milliseconds. */
const patience = { limitMs: 5_000, pollMs: 20 };

/**
 * Whether the background guardian of a run can stay while a setup works on it: it lives, would do nothing differently than a
 * new one, and has said that it touches nothing until the run is up again.
 */
export async function keepGuardian(kernel: Kernel, run: RunRecord): Promise<boolean> {
  const background = backgroundGuardian(run);
  if (!background || background.fitness !== kernel.fitness()) return false;
  // Two are one too many: both are ended, and a new one begins.
  if (background === run.guardian && background.after?.background) return false;
  if (!(await isAlive(background))) return false;
  // One that was stopped or hangs would let go of nothing.
  if ((await silenceOf(kernel, run.id, background)) !== undefined) return false;
  // One that waits for another to leave touches nothing anyway.
  if (background !== run.guardian) return true;
  const { clock, store } = kernel;
  const giveUpAt = clock.monotonic() + patience.limitMs;
  while (clock.monotonic() < giveUpAt) {
    const now = (await readRun(store, run.id))?.guardian;
    if (now?.id !== background.id) return false;
    if (now.rests) return true;
    if (!(await isAlive(background))) return false;
    await pause(clock, patience.pollMs);
  }
  return false;
}

async function isAlive(guardian: RunGuardian): Promise<boolean> {
  return (await ownerLookup(hostname())(guardian)) === 'alive';
}
