import {
  ArgusError,
  type Removal,
  type Resource,
  type Runtime,
  runtimeMissing,
  toStructuredError,
} from '@argusai/core';
import type { OrphanParts } from './orphan-parts.js';
import { tellWhoIsWaitedFor } from './tell-waiting.js';

/** Removes resources of one runtime in one call. What is gone although its removal failed was removed by somebody else. */
export async function removeWith(
  parts: OrphanParts,
  name: string,
  resources: readonly Resource[],
  signal: AbortSignal,
): Promise<Removal[]> {
  const runtime = parts.runtimes.get(name);
  const removals = await attempt(parts, name, runtime, resources, signal);
  if (!runtime || signal.aborted || removals.every(({ removed }) => removed)) return removals;
  const left = await whatIsLeft(parts, runtime, signal);
  return removals.map((removal) =>
    removal.removed || left === undefined || left.has(keyOf(removal.resource))
      ? removal
      : { resource: removal.resource, removed: true },
  );
}

async function attempt(
  parts: OrphanParts,
  name: string,
  runtime: Runtime | undefined,
  resources: readonly Resource[],
  signal: AbortSignal,
): Promise<Removal[]> {
  const { clock, stopTimeoutMs } = parts;
  // A process may be writing to the project's own folder, so it is asked to stop; a container takes its files along.
  const graceMs = resources.some(({ type }) => type === 'process') ? stopTimeoutMs : 0;
  try {
    signal.throwIfAborted();
    if (!runtime) throw noRuntime(name, resources);
    const stopTelling = await tellWhoIsWaitedFor(parts, resources, graceMs, signal);
    return await runtime.remove(resources, { graceMs, signal }).finally(stopTelling);
  } catch (thrown) {
    const error = toStructuredError(thrown, clock.now());
    return resources.map((resource) => ({ resource, removed: false, error }));
  }
}

async function whatIsLeft(
  { project }: OrphanParts,
  runtime: Runtime,
  signal: AbortSignal,
): Promise<Set<string> | undefined> {
  try {
    return new Set((await runtime.resources({ project: project.name }, signal)).map(keyOf));
  } catch {
    // It cannot be told what is left, so the failures stand.
    return undefined;
  }
}

function keyOf({ type, id }: Resource): string {
  return `${type}:${id}`;
}

function noRuntime(name: string, resources: readonly Resource[]): ArgusError {
  const service = resources[0]?.service ?? '';
  const needs = `@argusai/plugin-${name}`;
  return new ArgusError(runtimeMissing, {
    message: `the plugin that made it is not loaded: ${needs}`,
    details: { service, needs },
  });
}
