import { type Clock, type KnownProcess, markedProcesses, pause, signalKnown } from '@argusai/core';
import { marksOf } from '../command/marks.js';
import type { ProcessRecord } from '../records/process-record.js';

const killPatienceMs = 3_000;
const longestPollMs = 200;

/** How to end what has left its group. */
export interface StrayOptions {
  /** How long it may take to stop by itself. */
  readonly graceMs: number;
  readonly signal?: AbortSignal;
}

/**
 * Ends what a service has started and what then left its process group, as daemons do: it still carries the marks that
 * only this service of this run was given. Returns why not, when something is left.
 */
export async function endStrays(
  clock: Clock,
  record: Pick<ProcessRecord, 'runId' | 'service' | 'store'>,
  { graceMs, signal }: StrayOptions,
): Promise<string | undefined> {
  const strays = async () => (await markedProcesses(marksOf(record), 'anywhere')).found;
  const first = await strays();
  if (first.length === 0) return undefined;
  if (graceMs > 0) {
    await send(first, 'SIGTERM');
    if (await untilNone(clock, strays, graceMs, signal)) return undefined;
  }
  if (signal?.aborted) return 'the removal was cancelled before all that it had started had stopped';
  const areGone = await untilNone(clock, async () => send(await strays(), 'SIGKILL'), killPatienceMs);
  const left = areGone ? [] : await strays();
  if (left.length === 0) return undefined;
  return `what it has started is still there after SIGKILL: ${left.map(({ pid }) => pid).join(', ')}`;
}

async function untilNone(
  clock: Clock,
  look: () => Promise<readonly KnownProcess[]>,
  patienceMs: number,
  signal?: AbortSignal,
): Promise<boolean> {
  const giveUpAt = clock.monotonic() + patienceMs;
  for (let pollMs = 20; (await look()).length > 0; pollMs = Math.min(pollMs * 1.5, longestPollMs)) {
    const leftMs = giveUpAt - clock.monotonic();
    if (leftMs <= 0 || signal?.aborted) return false;
    // It rejects only because of the signal, and then one more look is the last.
    await pause(clock, Math.min(pollMs, leftMs), signal).catch(() => undefined);
  }
  return true;
}

async function send(
  processes: readonly KnownProcess[],
  signal: NodeJS.Signals,
): Promise<readonly KnownProcess[]> {
  await Promise.all(processes.map((one) => signalKnown(one, signal)));
  return processes;
}
