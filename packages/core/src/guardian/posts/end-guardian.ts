import { hostname } from 'node:os';
import { ownerLookup } from '../../environment/ownership/liveness.js';
import type { RunGuardian, RunRecord } from '../../environment/runs/run-record.js';
import { changeRun } from '../../environment/runs/runs.js';
import type { Kernel } from '../../kernel/kernel.js';
import { pause } from '../../time/pause.js';
import { forgetSigns } from './heartbeat.js';

/** How long a guardian may take to end in order, and then to be gone, in milliseconds. */
const patience = { politeMs: 10_000, forcedMs: 2_000, pollMs: 20 };

/**
 * Ends the background guardians of a run and strikes them off its record, so that nobody restarts anything while the run is
 * taken down or set up anew. One that belongs to another work, such as tests, sees by the record that it must wait or end.
 * Tells whether there was one, alive or dead.
 */
export async function endGuardian(kernel: Kernel, run: RunRecord): Promise<boolean> {
  const own = guardiansOf(run).filter(({ background }) => background);
  for (const guardian of own) await end(kernel, guardian);
  const ended = new Set(own.map(({ id }) => id));
  if (own.length === 0) return false;
  await changeRun(kernel.store, run.id, (record) => without(record, ended));
  await forgetSigns(kernel.store, run.id);
  return true;
}

function guardiansOf({ guardian }: RunRecord): RunGuardian[] {
  return guardian ? [guardian, ...(guardian.after ? [guardian.after] : [])] : [];
}

function without({ guardian, ...rest }: RunRecord, ended: ReadonlySet<string>): RunRecord {
  if (!guardian || ended.has(guardian.id)) return rest;
  const { after, ...stays } = guardian;
  return { ...rest, guardian: after && !ended.has(after.id) ? guardian : stays };
}

async function end({ clock }: Kernel, guardian: RunGuardian): Promise<void> {
  const lookUp = ownerLookup(hostname());
  for (const [signal, ms] of [
    ['SIGTERM', patience.politeMs],
    ['SIGKILL', patience.forcedMs],
  ] as const) {
    // Looked at right before: the number may be another process's by now.
    if ((await lookUp(guardian)) !== 'alive') return;
    send(guardian.pid, signal);
    // One that was stopped hears of it only when it goes on.
    send(guardian.pid, 'SIGCONT');
    const giveUpAt = clock.monotonic() + ms;
    while ((await lookUp(guardian)) === 'alive' && clock.monotonic() < giveUpAt)
      await pause(clock, patience.pollMs);
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended in this moment, or is another user's; the next look tells.
  }
}
