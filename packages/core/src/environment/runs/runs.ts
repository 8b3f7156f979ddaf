import type { Json } from '../../model/json.js';
import type { StateStore } from '../../state/state-store.js';
import { updateDocument } from '../../state/update-document.js';
import { asItIs } from './interrupted.js';
import type { RunRecord } from './run-record.js';

/** The namespace of run records. */
export const runsNamespace = 'runs';

/** The records of a project's runs, oldest first. */
export async function runsOf(store: StateStore, project: string): Promise<RunRecord[]> {
  return (await allRuns(store)).filter((run) => run.project === project);
}

/** The records of the runs that were set up in a folder, under whatever name, oldest first. */
export async function runsIn(store: StateStore, worktree: string): Promise<RunRecord[]> {
  return (await allRuns(store)).filter((run) => run.worktree === worktree);
}

async function allRuns(store: StateStore): Promise<RunRecord[]> {
  const documents = await store.list(runsNamespace);
  const runs = await Promise.all(documents.map(({ value }) => asItIs(value as unknown as RunRecord)));
  return runs.sort((one, other) => one.createdAt - other.createdAt);
}

/** The record of a run. */
export async function readRun(store: StateStore, id: string): Promise<RunRecord | undefined> {
  const run = (await store.get(runsNamespace, id))?.value as unknown as RunRecord | undefined;
  return run && asItIs(run);
}

/** Writes a new record. False when another run has the id, and nothing is written. */
export async function createRun(store: StateStore, run: RunRecord): Promise<boolean> {
  const condition = { ifRevision: 'absent' } as const;
  return (await store.put(runsNamespace, run.id, run as unknown as Json, condition)).stored;
}

/** Changes a record; nothing happens when it is gone, or when `change` gives nothing. */
export async function changeRun(
  store: StateStore,
  id: string,
  change: (run: RunRecord) => RunRecord | undefined,
): Promise<void> {
  await updateDocument(store, runsNamespace, id, (current) =>
    current === undefined
      ? undefined
      : (change(current as unknown as RunRecord) as unknown as Json | undefined),
  );
}

/** Lets go of a run of which something is left: nobody works on it any more, so it counts as over. */
export async function abandonRun(store: StateStore, id: string): Promise<void> {
  const owner = { host: '', pid: 0, startedAt: '' };
  await changeRun(store, id, (run) => ({ ...run, state: 'stopping', owner, leaseUntil: 0 }));
}

/** Forgets a run: from now on whatever still carries its labels is an orphan. */
export async function forgetRun(store: StateStore, id: string): Promise<void> {
  await store.delete(runsNamespace, id);
}
