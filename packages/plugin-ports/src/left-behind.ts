import { hostname } from 'node:os';
import {
  addressesMeet,
  judgeResources,
  neededRuntimes,
  ownerLookup,
  type PluginContext,
  type PortMapping,
  plainAddress,
  type Resource,
  type RunIdentity,
  type Runtime,
  resourceTarget,
} from '@argusai/core';
import type { Conflict } from './conflict.js';
import { serviceMarkOf } from './system/service-mark.js';
import type { Wish } from './wish.js';

type Parts = Pick<PluginContext, 'project' | 'config' | 'store' | 'runtimes' | 'clock'>;

/** What a dead run has left behind and holds a port. */
export interface LeftHolder {
  /** The check that reports it. */
  readonly check: 'orphans.processes' | 'orphans.docker';
  /** The name that repairs know it by. */
  readonly target: string;
}

/**
 * The conflicts whose port is held by what a dead run of the project has left behind. Judged as for removing it: what is not
 * proved to be a dead run's is somebody's.
 */
export async function leftBehind(
  conflicts: readonly Conflict[],
  parts: Parts,
  signal: AbortSignal,
): Promise<Map<Conflict, LeftHolder>> {
  const held = conflicts.filter(({ cause }) => cause.kind === 'held');
  const processes = await leftProcesses(held, parts, signal);
  const rest = held.filter((conflict) => !processes.has(conflict));
  return new Map([...processes, ...(await leftContainers(rest, parts, signal))]);
}

/** Those that a process holds which carries the mark of its service. */
async function leftProcesses(
  conflicts: readonly Conflict[],
  parts: Parts,
  signal: AbortSignal,
): Promise<Map<Conflict, LeftHolder>> {
  const marks = await Promise.all(conflicts.map(markOf));
  const runtime = parts.runtimes.get('process');
  if (!runtime || marks.every((mark) => mark === undefined)) return new Map();
  const listed = await runtime.resources({ project: parts.project.name }, signal);
  const orphans = await orphansAmong(
    listed.filter(({ id, store: own }) => marks.some((mark) => mark?.id === id && mark.store === own)),
    parts,
  );
  return new Map(
    conflicts.flatMap((conflict, index) => {
      const orphan = orphans.find(({ id }) => id === marks[index]?.id);
      return orphan ? [[conflict, holderOf(orphan)] as const] : [];
    }),
  );
}

/** Those that a container has published. Its engine holds the port, so that nothing but the engine can tell whose it is. */
async function leftContainers(
  conflicts: readonly Conflict[],
  parts: Parts,
  signal: AbortSignal,
): Promise<Map<Conflict, LeftHolder>> {
  if (conflicts.length === 0) return new Map();
  const runtimes = (await neededRuntimes(parts)).filter(({ name }) => name !== 'process');
  const published = (
    await Promise.all(runtimes.map((runtime) => publishedBy(runtime, parts, signal)))
  ).flat();
  return new Map(
    conflicts.flatMap((conflict) => {
      const found = published.find(({ ports }) => ports.some((port) => isAt(port, conflict.wish)));
      return found ? [[conflict, holderOf(found.orphan)] as const] : [];
    }),
  );
}

/** The ports that services of dead runs have in a runtime, in one look for each run. */
async function publishedBy(runtime: Runtime, parts: Parts, signal: AbortSignal) {
  try {
    const listed = await runtime.resources({ project: parts.project.name }, signal);
    const orphans = (await orphansAmong(listed, parts)).filter(({ type }) => type === 'container');
    const looks = [...byRun(orphans)].map(async (ofRun) => {
      const states = await runtime.inspect(
        runOf(ofRun[0]),
        ofRun.map(({ service = '' }) => service),
        signal,
      );
      return ofRun.map((orphan) => {
        const state = states.find(({ service }) => service === orphan.service);
        return { orphan, ports: state?.status === 'running' ? (state.ports ?? []) : [] };
      });
    });
    return (await Promise.all(looks)).flat();
  } catch {
    signal.throwIfAborted();
    // That it cannot be asked is for its own check to tell; here nobody is blamed without proof.
    return [];
  }
}

function byRun(resources: readonly Resource[]): Iterable<readonly [Resource, ...Resource[]]> {
  const runs = new Map<string, [Resource, ...Resource[]]>();
  for (const resource of resources) {
    const known = runs.get(resource.runId);
    if (known) known.push(resource);
    else runs.set(resource.runId, [resource]);
  }
  return runs.values();
}

/** The run of something that was left, as far as its labels tell. */
function runOf({ runId: id, project, worktree, store }: Resource): RunIdentity {
  return { id, project, worktree, store, owner: { host: '', pid: 0, startedAt: '' } };
}

async function orphansAmong(
  resources: readonly Resource[],
  { project, store, clock }: Parts,
): Promise<Resource[]> {
  const judged = await judgeResources(resources, {
    project: project.name,
    store,
    now: clock.now(),
    maxAgeMs: Number.POSITIVE_INFINITY,
    lookUp: ownerLookup(hostname()),
  });
  return judged.flatMap(({ resource, judgement }) => (judgement.verdict === 'orphan' ? [resource] : []));
}

function holderOf(orphan: Resource): LeftHolder {
  const check = orphan.type === 'process' ? 'orphans.processes' : 'orphans.docker';
  return { check, target: resourceTarget(orphan) };
}

function isAt({ host, protocol, ip }: PortMapping, wish: Wish): boolean {
  return host === wish.port && protocol === wish.protocol && addressesMeet(plainAddress(ip), wish.address);
}

async function markOf({ cause }: Conflict) {
  const pid = cause.kind === 'held' ? cause.holder?.pid : undefined;
  return pid === undefined ? undefined : serviceMarkOf(pid);
}
