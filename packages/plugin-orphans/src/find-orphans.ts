import {
  judgeResources,
  type Resource,
  type ResourceType,
  type Runtime,
  toStructuredError,
} from '@argusai/core';
import type { OrphanParts } from './orphan-parts.js';

/** What a run that is over has left behind. */
export interface Orphan {
  readonly resource: Resource;
  /** Why its run counts as over. */
  readonly why: string;
}

/** What another store made. */
export interface Foreign {
  readonly resource: Resource;
  /** Old enough to be removed when somebody asks for it by name. */
  readonly old: boolean;
  /** A former store of this place made it, and the record of its run was lost with that store. */
  readonly lost: boolean;
}

/** What there is of the project besides what live runs have. */
export interface Findings {
  readonly orphans: readonly Orphan[];
  readonly foreign: readonly Foreign[];
  /** Runtimes that could not be asked, and why. */
  readonly unknown: readonly { readonly runtime: string; readonly reason: string }[];
}

/** The order in which things go: a network must be empty, and a volume unused, before it can be removed. */
const order: readonly ResourceType[] = ['container', 'network', 'volume', 'process'];

/** Lists what the runtimes have of the project and judges it. A runtime that cannot be asked costs no other's answer. */
export async function findOrphans(
  parts: OrphanParts,
  runtimes: readonly Runtime[],
  signal: AbortSignal,
): Promise<Findings> {
  const answers = await Promise.all(runtimes.map((runtime) => ask(parts, runtime, signal)));
  signal.throwIfAborted();
  const { project, store, clock, maxAgeMs, lookUp } = parts;
  const judged = await judgeResources(
    answers.flatMap(({ resources = [] }) => resources),
    { project: project.name, store, now: clock.now(), maxAgeMs, lookUp },
  );
  return {
    orphans: judged
      .flatMap(({ resource, judgement }) =>
        judgement.verdict === 'orphan' ? [{ resource, why: judgement.why }] : [],
      )
      .sort((one, other) => placeOf(one.resource) - placeOf(other.resource)),
    foreign: judged.flatMap(({ resource, judgement }) =>
      judgement.verdict === 'foreign' ? [{ resource, old: judgement.old, lost: judgement.lost }] : [],
    ),
    unknown: answers.flatMap(({ unknown }) => (unknown ? [unknown] : [])),
  };
}

/** Where in the order a resource goes. */
export function placeOf({ type }: Resource): number {
  return order.indexOf(type);
}

async function ask({ project, clock }: OrphanParts, runtime: Runtime, signal: AbortSignal) {
  try {
    return { resources: await runtime.resources({ project: project.name }, signal) };
  } catch (thrown) {
    const reason = toStructuredError(thrown, clock.now()).message;
    return { unknown: { runtime: runtime.name, reason } };
  }
}
