import { judgeResource, type Removal, type Resource, type StructuredError } from '@argusai/core';
import { type HeldRun, holdRun, letGo } from './hold-run.js';
import { endLeft, isLeftCommand } from './left-command.js';
import type { OrphanParts } from './orphan-parts.js';
import { removeAll } from './remove-all.js';

/** What became of each resource. */
export interface Cleanup {
  readonly removed: readonly Resource[];
  readonly failed: readonly { readonly resource: Resource; readonly error: StructuredError }[];
  /** What was left alone after all, because its run is not over or it was never ours. */
  readonly spared: readonly { readonly resource: Resource; readonly reason: string }[];
}

/** Removes what dead runs left behind: judges everything once more, holds its runs, and lets the runtimes do it. */
export async function removeOrphans(
  parts: OrphanParts,
  resources: readonly Resource[],
  signal: AbortSignal,
): Promise<Cleanup> {
  signal.throwIfAborted();
  const { events, project } = parts;
  events.emit('cleanup_start', { project: project.name });
  const held = new Map<string, HeldRun>();
  const cleared = new Set<string>();
  try {
    const commands = resources.filter(isLeftCommand);
    const others = resources.filter((resource) => !isLeftCommand(resource));
    const dead = await holdDead(parts, others, held);
    // First: they use what is about to go.
    const ended = await endLeft(parts, commands);
    const spared = others.filter((resource) => !dead.includes(resource));
    const removals = [...ended, ...(await removeAll(parts, dead, signal))];
    const cleanup = sorted(removals, spared);
    const left = new Set(cleanup.failed.map(({ resource }) => resource.runId));
    for (const id of held.keys()) if (!left.has(id)) cleared.add(id);
    announce(parts, removals, resources.length);
    return cleanup;
  } finally {
    for (const [id, run] of held) await letGo(parts, run, cleared.has(id), signal);
  }
}

/** The resources that are ours and whose run is over; their runs are held from then on. */
async function holdDead(
  parts: OrphanParts,
  resources: readonly Resource[],
  held: Map<string, HeldRun>,
): Promise<Resource[]> {
  const { project, store, clock, maxAgeMs } = parts;
  const viewpoint = { project: project.name, store: await store.id(), now: clock.now(), maxAgeMs };
  const over = { alive: false, why: '' } as const;
  const ours = resources.filter((one) => judgeResource(one, over, viewpoint).verdict === 'orphan');
  for (const id of new Set(ours.map(({ runId }) => runId))) {
    const run = await holdRun(parts, id);
    if (run) held.set(id, run);
  }
  return ours.filter(({ runId }) => held.has(runId));
}

function sorted(removals: readonly Removal[], spared: readonly Resource[]): Cleanup {
  return {
    removed: removals.flatMap((one) => (one.removed ? [one.resource] : [])),
    failed: removals.flatMap((one) => (one.removed ? [] : [{ resource: one.resource, error: one.error }])),
    spared: spared.map((resource) => ({ resource, reason: 'somebody uses its run, or it is not ours' })),
  };
}

function announce({ events }: OrphanParts, removals: readonly Removal[], found: number): void {
  const removed = removals.filter((one) => one.removed);
  const failed = removals.filter((one) => !one.removed);
  for (const { resource, killed } of removed) {
    const how = killed ? { message: 'it did not end on SIGTERM and was killed' } : {};
    events.emit('cleanup_resource', { ...toldAs(resource), action: 'removed', ...how });
  }
  for (const { resource, error } of failed)
    events.emit('cleanup_resource', { ...toldAs(resource), action: 'failed', message: error.message });
  events.emit('cleanup_end', { found, removed: removed.length, failed: failed.length });
}

/** A command is told of by its suite, as by everybody else who ends one. */
function toldAs(resource: Resource): { type: string; name: string } {
  const { type, name, service = name } = resource;
  return isLeftCommand(resource) ? { type: 'command', name: service } : { type, name };
}
