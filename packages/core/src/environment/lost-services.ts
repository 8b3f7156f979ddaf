import type { Kernel } from '../kernel/kernel.js';
import { lookAtRecorded, type Sight } from './look-recorded.js';
import type { Lost } from './lost-runs.js';
import type { RunRecord } from './run-record.js';

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

/** As much of the record as labels can tell, which is what looking takes. */
export function standIn(id: string, resources: Lost['resources']): RunRecord {
  const { project = '', worktree = '', store = '' } = resources[0] ?? {};
  const services = resources.flatMap(({ service, runtime, createdAt }) =>
    service === undefined ? [] : [[service, { runtime, spec: '', ports: [], startedAt: createdAt }] as const],
  );
  return {
    ...{ id, project, worktree, store, owner: { host: '', pid: 0, startedAt: '' } },
    ...{ state: 'up', createdAt: 0, leaseUntil: 0, portMappings: [] },
    services: Object.fromEntries(services),
  };
}
