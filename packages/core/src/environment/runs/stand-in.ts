import type { Lost } from './lost-here.js';
import type { RunRecord } from './run-record.js';

/** As much of the record as labels can tell, which is what looking takes. */
export function standIn(id: string, resources: Lost['resources']): RunRecord {
  const { project = '', worktree = '', store = '' } = resources[0] ?? {};
  const services = resources.flatMap(({ service, runtime, createdAt }) =>
    service === undefined ? [] : [[service, { runtime, spec: '', ports: [], startedAt: createdAt }] as const],
  );
  return {
    id,
    project,
    worktree,
    store,
    owner: { host: '', pid: 0, startedAt: '' },
    state: 'up',
    createdAt: 0,
    leaseUntil: 0,
    portMappings: [],
    services: Object.fromEntries(services),
  };
}
