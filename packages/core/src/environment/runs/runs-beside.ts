import { hostname } from 'node:os';
import type { Kernel } from '../../kernel/kernel.js';
import { presentError } from '../../kernel/present.js';
import { type StructuredError, structuredError } from '../../model/error-code.js';
import {
  runOfGoneFolder,
  runOfOtherName,
  runOfOtherStore,
  runRecordLost,
} from '../../model/run-error-codes.js';
import { toStructuredError } from '../../model/to-structured-error.js';
import { ownerLookup } from '../ownership/liveness.js';
import type { Resource } from '../ownership/resource.js';
import { resourceTarget } from '../ownership/resource-target.js';
import { isGone } from './is-gone.js';
import { judgeResources, livenessOfRecord } from './judge-resource.js';
import type { Unlooked } from './lost-here.js';
import { neededRuntimes } from './needed-runtimes.js';
import type { RunRecord } from './run-record.js';
import { runsIn, runsOf } from './runs.js';

/** Tells of each run that was set up in this folder under another project name. Only the store is asked. */
export async function runsOfOtherNames(kernel: Kernel): Promise<StructuredError[]> {
  const { store, project } = kernel;
  const others = (await runsIn(store, project.dir)).filter((run) => run.project !== project.name);
  const about = (run: RunRecord) =>
    `The run ${run.id} of the project ${run.project} was set up in this folder`;
  return told(kernel, others, runOfOtherName, about);
}

/** Tells of each run of this project whose folder is gone from this machine: it was moved while the run was up, or removed. */
export async function runsOfGoneFolders(kernel: Kernel): Promise<StructuredError[]> {
  const { store, project } = kernel;
  const gone = (await runsOf(store, project.name)).filter(
    ({ worktree, owner }) => owner.host === hostname() && isGone(worktree),
  );
  return told(
    kernel,
    gone,
    runOfGoneFolder,
    ({ id, worktree }) => `The run ${id} was set up in ${worktree}, which is gone,`,
  );
}

/** How each of several runs is, in the words of a code. */
function told(
  kernel: Kernel,
  runs: readonly RunRecord[],
  code: typeof runOfOtherName | typeof runOfGoneFolder,
  about: (run: RunRecord) => string,
): Promise<StructuredError[]> {
  const now = kernel.clock.now();
  return Promise.all(
    runs.map(async (run) => {
      const { id, project, worktree, state } = run;
      const { alive } = await livenessOfRecord(run, now, ownerLookup(hostname()));
      const services = Object.keys(run.services);
      const what = services.length === 0 ? '' : ` with ${services.join(', ')}`;
      const message = `${about(run)} and ${alive ? `is still ${state}` : 'is over and was not taken down'}${what}`;
      const details = { run: id, project, worktree, state: String(state), alive, services };
      return presentError(kernel, structuredError<string, typeof details>(code, { message, details }, now));
    }),
  );
}

/** What is in this folder of runs of this project that this store does not know, and whether everything could be looked at. */
export interface UnknownBeside {
  readonly notices: readonly StructuredError[];
  /** What these runtimes have of it is not known. */
  readonly unlooked: readonly (Unlooked & { readonly error: StructuredError })[];
  /** Nothing is here of a run whose record was lost, and every runtime was asked. */
  readonly isNothingLost: boolean;
}

/** Looks for what this store does not know, without those that are spared. A runtime that cannot be asked costs no other's answer. */
export async function unknownBeside(
  kernel: Kernel,
  signal: AbortSignal,
  spared: ReadonlySet<string> = new Set(),
): Promise<UnknownBeside> {
  const { store, project, clock } = kernel;
  const runtimes = (await neededRuntimes(kernel)).filter(({ name }) => !spared.has(name));
  const answers = await Promise.allSettled(
    runtimes.map((runtime) => runtime.resources({ project: project.name }, signal)),
  );
  signal.throwIfAborted();
  const unlooked = answers.flatMap((one, index) => {
    const runtime = runtimes[index]?.name;
    if (one.status === 'fulfilled' || runtime === undefined) return [];
    return [{ runtime, error: presentError(kernel, toStructuredError(one.reason, clock.now())) }];
  });
  const listed = answers.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
  const here = listed.filter(({ worktree }) => worktree === project.dir);
  const judge = { project: project.name, store, now: clock.now(), maxAgeMs: Number.POSITIVE_INFINITY };
  const judged = await judgeResources(here, { ...judge, lookUp: ownerLookup(hostname()) });
  const foreign = judged.flatMap(({ resource, judgement }) =>
    judgement.verdict === 'foreign' ? [{ resource, lost: judgement.lost }] : [],
  );
  const runs = [...new Set(foreign.map(({ resource }) => resource.runId))];
  return {
    notices: runs.map((runId) => {
      const own = foreign.filter(({ resource }) => resource.runId === runId);
      const resources = own.map(({ resource }) => resource);
      const isLost = own.every(({ lost }) => lost);
      return presentError(kernel, (isLost ? lostNotice : foreignNotice)(resources, clock.now()));
    }),
    unlooked,
    isNothingLost: unlooked.length === 0 && !foreign.some(({ lost }) => lost),
  };
}

function lostNotice(resources: readonly Resource[], now: number): StructuredError {
  const { project, runId, worktree } = ownerOf(resources);
  const message = `${said(resources)} of the run ${runId} of this folder is still there, but the record of that run was lost`;
  const details = { project, runId, worktree, run: runId, names: resources.map(resourceTarget) };
  return structuredError(runRecordLost, { message, details }, now);
}

function foreignNotice(resources: readonly Resource[], now: number): StructuredError {
  const { project, runId, worktree, store, createdAt } = ownerOf(resources);
  const message = `${said(resources)} of the run ${runId} of this folder is there too, made with another state folder`;
  const details = { project, runId, worktree, store, names: resources.map(resourceTarget) };
  const made = { createdAt: new Date(createdAt).toISOString() };
  return structuredError(runOfOtherStore, { message, details: { ...details, ...made } }, now);
}

const said = (resources: readonly Resource[]) =>
  resources.map(({ type, name }) => `${type} ${name}`).join(', ');

function ownerOf([first]: readonly Resource[]): Resource {
  if (!first) throw new Error('A run of which there is nothing is not told of');
  return first;
}
