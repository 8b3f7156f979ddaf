import type { RunIdentity } from '../runs/run-record.js';
import type { Resource } from './resource.js';

/** The labels that say whose a resource is. Every container, network and volume of a run carries them. */
export const labelNames = {
  managed: 'argusai.managed',
  project: 'argusai.project',
  runId: 'argusai.run-id',
  createdAt: 'argusai.created-at',
  store: 'argusai.store',
  owner: 'argusai.owner',
  worktree: 'argusai.worktree',
  service: 'argusai.service',
  spec: 'argusai.spec',
} as const;

/** The labels of what a run makes, for a service or for the run itself. */
export function labelsOf(
  run: RunIdentity,
  now: number,
  service?: { readonly name: string; readonly spec: string },
): Record<string, string> {
  const { host, pid, startedAt } = run.owner;
  return {
    [labelNames.managed]: 'true',
    [labelNames.project]: run.project,
    [labelNames.runId]: run.id,
    [labelNames.createdAt]: new Date(now).toISOString(),
    [labelNames.store]: run.store,
    [labelNames.owner]: `${host}/${pid}/${startedAt}`,
    [labelNames.worktree]: run.worktree,
    ...(service ? { [labelNames.service]: service.name, [labelNames.spec]: service.spec } : {}),
  };
}

/** What labels say about a resource; nothing when they are not all there, because then it is not provably ours. */
export function ownershipOf(
  labels: Readonly<Record<string, string | undefined>>,
): Pick<Resource, 'project' | 'runId' | 'store' | 'worktree' | 'service' | 'createdAt'> | undefined {
  const project = labels[labelNames.project];
  const runId = labels[labelNames.runId];
  const store = labels[labelNames.store];
  const worktree = labels[labelNames.worktree];
  const service = labels[labelNames.service];
  const createdAt = Date.parse(labels[labelNames.createdAt] ?? '');
  if (labels[labelNames.managed] !== 'true' || Number.isNaN(createdAt)) return undefined;
  if (!project || !runId || !store || !worktree) return undefined;
  return { project, runId, store, worktree, createdAt, ...(service ? { service } : {}) };
}
