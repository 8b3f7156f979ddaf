import { type ProcessRecord, recordId } from '../records/process-record.js';

/** The variable by which a process is known as ours when its keeper and the leader of its group are gone. */
export const markName = 'ARGUS_PROCESS';

/** The variables that say to those who do not have the record of a process what the record says. */
const labelNames = {
  project: 'ARGUS_PROCESS_PROJECT',
  worktree: 'ARGUS_PROCESS_WORKTREE',
  createdAt: 'ARGUS_PROCESS_SINCE',
} as const;

const storeName = 'ARGUS_STORE';

/** What the variables of a process tell of its record. */
export type MarkedRecord = Pick<
  ProcessRecord,
  'runId' | 'service' | 'store' | 'project' | 'worktree' | 'createdAt'
>;

/** The variables that everything carries that a service starts: whose it is, and which store knows of that. */
export function marksOf(record: Pick<ProcessRecord, 'runId' | 'service' | 'store'>): Record<string, string> {
  return { [markName]: recordId(record), [storeName]: record.store };
}

/** The variables by which another store finds what it has no record of: the project and the folder. */
export function folderMarks({ project, worktree }: Pick<MarkedRecord, 'project' | 'worktree'>) {
  return { [labelNames.project]: project, [labelNames.worktree]: worktree };
}

/** All variables that a service is given to be known by. */
export function environmentMarks(record: MarkedRecord): Record<string, string> {
  return {
    ...marksOf(record),
    ...folderMarks(record),
    [labelNames.createdAt]: String(record.createdAt),
  };
}

/** What the variables of a process tell; nothing when one is missing, because then it is not provably argus'. */
export function readMarks(variables: ReadonlyMap<string, string>): MarkedRecord | undefined {
  const [runId, service, ...rest] = variables.get(markName)?.split('/') ?? [];
  const store = variables.get(storeName);
  const project = variables.get(labelNames.project);
  const worktree = variables.get(labelNames.worktree);
  const createdAt = Number(variables.get(labelNames.createdAt) ?? Number.NaN);
  if (!runId || !service || rest.length > 0 || !store || !project || !worktree) return undefined;
  return Number.isFinite(createdAt) ? { runId, service, store, project, worktree, createdAt } : undefined;
}
