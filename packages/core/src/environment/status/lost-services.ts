import type { Kernel } from '../../kernel/kernel.js';
import { lookAtRecorded, type Sight } from '../looks/look-recorded.js';
import type { Lost } from '../runs/lost-here.js';
import { standIn } from '../runs/stand-in.js';

/** A service of a run whose record was lost: how it is, as far as its runtime can tell. */
export interface LostService {
  readonly runId: string;
  readonly sight: Sight;
}

/** How the services are that are left of runs without a record, by name. Of several runs the newest counts. */
export async function lookAtLost(
  kernel: Kernel,
  { resources }: Lost,
  signal: AbortSignal,
): Promise<Map<string, LostService>> {
  const oldestFirst = [...resources].sort((one, other) => one.createdAt - other.createdAt);
  const found = new Map<string, LostService>();
  for (const runId of new Set(oldestFirst.map((resource) => resource.runId))) {
    const own = oldestFirst.filter((resource) => resource.runId === runId);
    const sights = await lookAtRecorded(kernel, standIn(runId, own), signal);
    for (const [name, sight] of sights) found.set(name, { runId, sight });
  }
  return found;
}
