import { isDeepStrictEqual } from 'node:util';
import type { Kernel } from '../../kernel/kernel.js';
import { lookAtRecorded } from '../looks/look-recorded.js';
import type { Claim } from '../runs/claim-run.js';
import { readRun } from '../runs/runs.js';

/**
 * The services of a run that were up before a setup began and that it has not touched. None when nothing of them runs, when
 * the run is not this setup's any more, or when everybody has let go of it for whom it was there.
 */
export async function untouched(
  kernel: Kernel,
  { run, before }: Claim,
  signal: AbortSignal,
): Promise<string[]> {
  if (!before) return [];
  const latest = await readRun(kernel.store, run.id);
  if (latest?.state !== 'starting' || !isDeepStrictEqual(latest.owner, run.owner)) return [];
  const added = run.holders?.filter(({ id }) => !before.holders?.some((one) => one.id === id)) ?? [];
  const others = latest.holders?.filter(({ id }) => !added.some((one) => one.id === id));
  if (others?.length === 0) return [];
  // Whatever was started anew has another note, and what was told to stop ends even if nobody waits for it.
  const same = Object.entries(latest.services).filter(
    ([name, note]) => !note.stops && isDeepStrictEqual(before.services[name], note),
  );
  const sights = await lookAtRecorded(kernel, { ...latest, services: Object.fromEntries(same) }, signal);
  const there = [...sights].filter(([, sight]) => 'failure' in sight || sight.status !== 'missing');
  const isUp = there.some(([, sight]) => 'status' in sight && sight.status === 'running');
  return isUp ? there.map(([name]) => name) : [];
}
