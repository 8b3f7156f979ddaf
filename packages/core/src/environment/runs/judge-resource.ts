import type { StateStore } from '../../state/state-store.js';
import { type Liveness, livenessOf, type OwnerLookup } from '../ownership/liveness.js';
import type { Resource } from '../ownership/resource.js';
import type { RunRecord } from './run-record.js';
import { readRun } from './runs.js';

/**
 * Whose a resource is: a live run's, left behind by a run that is over, made by another store, or none of this
 * project's. Only an orphan may be removed by itself.
 */
export type Judgement =
  | { readonly verdict: 'live' }
  | { readonly verdict: 'orphan'; readonly why: string }
  /**
   * `lost`: a former store of this place made it, and its record was lost with that store, so nobody knows whether its run
   * goes on. `old`: so old that it may be removed when somebody asks for it by name.
   */
  | { readonly verdict: 'foreign'; readonly old: boolean; readonly lost: boolean }
  | { readonly verdict: 'not-ours' };

/** A resource with what was found out about it. */
export interface Judged {
  readonly resource: Resource;
  readonly judgement: Judgement;
}

/** From where a resource is judged. */
export interface Viewpoint {
  /** The name of the project. */
  readonly project: string;
  /** The id of the store that has the records. */
  readonly store: string;
  /** The ids of the stores that were in its place before. */
  readonly formerStores?: readonly string[];
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** How old a foreign resource must be before it counts as old, in milliseconds. */
  readonly maxAgeMs: number;
}

/** Judges one resource. `liveness` is that of its run, as the store that its label names has it. */
export function judgeResource(resource: Resource, liveness: Liveness, viewpoint: Viewpoint): Judgement {
  const { project, store, formerStores = [], now, maxAgeMs } = viewpoint;
  if (!isOfProject(resource, project)) return { verdict: 'not-ours' };
  if (resource.store !== store) {
    const lost = formerStores.includes(resource.store);
    return { verdict: 'foreign', old: now - resource.createdAt > maxAgeMs, lost };
  }
  return liveness.alive ? { verdict: 'live' } : { verdict: 'orphan', why: liveness.why };
}

/** What it takes to judge resources. */
export interface Judge {
  readonly project: string;
  readonly store: StateStore;
  readonly now: number;
  readonly maxAgeMs: number;
  readonly lookUp: OwnerLookup;
}

/**
 * Judges resources that have been listed already. A run's record is written before the run makes anything, and it is
 * read here after the listing, so the resources of a run that began in between are not mistaken for orphans.
 */
export async function judgeResources(resources: readonly Resource[], judge: Judge): Promise<Judged[]> {
  if (resources.length === 0) return [];
  const { project, now, maxAgeMs } = judge;
  const store = await judge.store.id();
  const formerStores = (await judge.store.formerIds?.()) ?? [];
  const viewpoint = { project, store, formerStores, now, maxAgeMs };
  const own = resources.filter((one) => isOfProject(one, project) && one.store === store);
  const runs = [...new Set(own.map(({ runId }) => runId))];
  const known = await Promise.all(
    runs.map(
      async (id) => [id, await livenessOfRecord(await readRun(judge.store, id), now, judge.lookUp)] as const,
    ),
  );
  const liveness = new Map<string, Liveness>(known);
  return resources.map((resource) => {
    // Whose run was not looked up is not this store's to judge, and the verdict does not depend on it.
    const its = liveness.get(resource.runId) ?? { alive: true };
    return { resource, judgement: judgeResource(resource, its, viewpoint) };
  });
}

/** Whether a run goes on. A record that cannot be read, perhaps a later version's, does not say that it is over. */
export async function livenessOfRecord(
  record: RunRecord | undefined,
  now: number,
  lookUp: OwnerLookup,
): Promise<Liveness> {
  if (record !== undefined && !isReadable(record)) return { alive: true };
  return livenessOf(record, now, lookUp);
}

/** A runtime that lists what does not say whose it is has not proved anything. */
function isOfProject({ project, runId, store }: Resource, name: string): boolean {
  return project === name && runId !== '' && store !== '';
}

const states: readonly unknown[] = ['starting', 'up', 'stopping'];

function isReadable({ state, leaseUntil, owner }: RunRecord): boolean {
  return (
    states.includes(state) &&
    Number.isFinite(leaseUntil) &&
    typeof owner?.host === 'string' &&
    typeof owner.pid === 'number' &&
    typeof owner.startedAt === 'string'
  );
}
