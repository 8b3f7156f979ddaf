import { hostname } from 'node:os';
import {
  cleanupFailed,
  endLeftCommand,
  leftCommands,
  type Removal,
  type Resource,
  type RunCommand,
  type RunRecord,
  readRun,
  runsOf,
  structuredError,
} from '@argusai/core';
import type { Orphan } from './find-orphans.js';
import type { OrphanParts } from './orphan-parts.js';

/** No runtime has it: argus itself started it, and a record of a run knows of it. */
const madeByArgus = 'argus';

/** A command, such as tests, that a killed argus has left running. It is one process more that was left behind. */
interface LeftCommand extends Resource {
  readonly pid: number;
  /** In the system's own terms, so that a later process with the same number is another one. */
  readonly startedAt: string;
}

/** Whether a resource is a command that a killed argus has left. */
export function isLeftCommand(resource: Resource): resource is LeftCommand {
  return resource.runtime === madeByArgus;
}

/**
 * The commands that killed runs of the project have left. That their argus is gone is what makes them orphans, also where the
 * environment that they were run with stays up.
 */
export async function findLeftCommands({ project, store }: OrphanParts): Promise<Orphan[]> {
  const runs = await runsOf(store, project.name);
  const found = await Promise.all(
    runs.map(async (run) => (await leftCommands(run)).map((command) => orphanOf(run, command))),
  );
  return found.flat();
}

function orphanOf(run: RunRecord, { pid, startedAt, suite, words = suite, since, by }: RunCommand): Orphan {
  const { id: runId, project, store, worktree } = run;
  const owner = { project, runId, store, worktree, service: suite, createdAt: since ?? run.createdAt };
  const id = `${runId}/${pid}`;
  const resource: LeftCommand = {
    ...{ runtime: madeByArgus, type: 'process', id, name: words, pid, startedAt },
    ...owner,
  };
  return { resource, why: `the argus that ran it, process ${by.pid}, was killed` };
}

/** Ends commands that were left, each only while it is still the one that was found. */
export function endLeft(parts: OrphanParts, resources: readonly LeftCommand[]): Promise<Removal[]> {
  return Promise.all(resources.map((resource) => endOne(parts, resource)));
}

async function endOne({ store, clock, lookUp }: OrphanParts, resource: LeftCommand): Promise<Removal> {
  const { type, name, id, pid, startedAt } = resource;
  const run = await readRun(store, resource.runId);
  const left = run ? await leftCommands(run) : [];
  const command = left.find((one) => one.pid === pid && one.startedAt === startedAt);
  const isEnded = command !== undefined && (await endLeftCommand({ clock }, command));
  // What is not known as left any more has ended by itself, or somebody else was quicker; or nobody could look.
  const seen = isEnded ? 'dead' : await lookUp({ host: hostname(), pid, startedAt });
  if (seen === 'dead') return { resource, removed: true };
  const reason =
    seen === 'alive'
      ? `the process ${pid} is still there${command ? ' after SIGKILL' : ''}`
      : `it could not be told whether the process ${pid} is still there`;
  const message = `The ${type} ${name} could not be removed: ${reason}`;
  const error = structuredError(cleanupFailed, { message, details: { type, name, id, reason } }, clock.now());
  return { resource, removed: false, error };
}
