import { createHash, randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Kernel } from '../../kernel/kernel.js';
import { ArgusError } from '../../model/argus-error.js';
import { setupInProgress } from '../../model/start-error-codes.js';
import type { StoredDocument } from '../../state/state-store.js';
import { ownerLookup } from '../ownership/liveness.js';
import { ownIdentity } from '../processes/process-identity.js';
import { withHolder } from './holders.js';
import { livenessOfRecord } from './judge-resource.js';
import type { RunHolder, RunRecord } from './run-record.js';
import { changeRun, createRun, readRun, runsNamespace } from './runs.js';
import { seizeRun } from './seize-run.js';

const worktreesNamespace = 'worktrees';

/** A run that this process may work on, and whether it was there before. */
export interface Claim {
  readonly run: RunRecord;
  readonly reused: boolean;
  /** How it was before it was claimed, when it was there. */
  readonly before?: RunRecord;
}

/** The run of this project's folder, as far as there is one. */
export async function currentRun({ store, project }: Kernel): Promise<RunRecord | undefined> {
  const claimed = await store.get(worktreesNamespace, worktreeKey(project.name, project.dir));
  return claimed && readRun(store, runIdIn(claimed));
}

/**
 * Takes the run of this project's folder for a setup: the one that is up, or a new one. Of two setups at the same moment
 * one gets it; the other is told who is at work. With a holder, a new run ends with it.
 */
export async function claimRun(kernel: Kernel, holder?: RunHolder): Promise<Claim> {
  const { store, project, clock } = kernel;
  const key = worktreeKey(project.name, project.dir);
  const owner = await ownIdentity();
  for (;;) {
    const claimed = await store.get(worktreesNamespace, key);
    const earlier = await currentRun(kernel);
    const { alive } = await livenessOfRecord(earlier, clock.now(), ownerLookup(hostname()));
    if (earlier && alive) {
      if (earlier.state !== 'up') throw inProgress(earlier);
      const taken = await seizeRun(kernel, earlier.id, 'starting', ({ state }) => state === 'up');
      if (!taken) continue;
      const run = withHolder(taken, holder);
      await changeRun(store, run.id, (record) => withHolder(record, holder));
      return { run, reused: true, before: taken };
    }
    const run: RunRecord = {
      id: newRunId(kernel),
      project: project.name,
      worktree: project.dir,
      store: await store.id(),
      owner,
      state: 'starting',
      createdAt: clock.now(),
      services: {},
      portMappings: [],
      leaseUntil: clock.now() + kernel.config.environment.lease,
      ...(holder ? { holders: [holder] } : {}),
    };
    const condition = { ifRevision: claimed?.revision ?? ('absent' as const) };
    // The record comes first: a claim never points to a run that nobody has heard of.
    if (!(await createRun(store, run))) continue;
    const written = await store.put(worktreesNamespace, key, { runId: run.id }, condition);
    if (written.stored) return { run, reused: false };
    await store.delete(runsNamespace, run.id);
  }
}

/** Gives up the claim of a folder, if it is still this run's. */
export async function releaseClaim({ store }: Kernel, run: RunRecord): Promise<void> {
  const key = worktreeKey(run.project, run.worktree);
  const claimed = await store.get(worktreesNamespace, key);
  if (!claimed || runIdIn(claimed) !== run.id) return;
  await store.delete(worktreesNamespace, key, { ifRevision: claimed.revision });
}

/** Gives up the claim of this project's folder when its run is gone. */
export async function releaseLostClaim({ store, project }: Kernel): Promise<void> {
  const key = worktreeKey(project.name, project.dir);
  const claimed = await store.get(worktreesNamespace, key);
  if (!claimed || (await readRun(store, runIdIn(claimed)))) return;
  await store.delete(worktreesNamespace, key, { ifRevision: claimed.revision });
}

function runIdIn({ value }: StoredDocument): string {
  return (value as { runId: string }).runId;
}

function worktreeKey(project: string, dir: string): string {
  return createHash('sha256').update(`${project}\n${dir}`).digest('hex').slice(0, 32);
}

/** Short enough for names of containers; the time in front sorts them. */
function newRunId({ clock }: Kernel): string {
  return `${clock.now().toString(36)}${randomUUID().slice(0, 4)}`;
}

function inProgress({ id, owner, state }: RunRecord): ArgusError {
  const who = `process ${owner.pid} on ${owner.host}`;
  return new ArgusError(setupInProgress, {
    message:
      state === 'stopping'
        ? `The environment of this project is being taken down by ${who}`
        : `Another setup of this project is at work: ${who}`,
    details: { runId: id, pid: owner.pid, host: owner.host },
  });
}
