import { type ProcessRecord, recordId } from '../records/process-record.js';

/** The variable by which a process is known as ours when its keeper and the leader of its group are gone. */
export const markName = 'ARGUS_PROCESS';

/** The variables that everything carries that a service starts: whose it is, and which store knows of that. */
export function marksOf(record: Pick<ProcessRecord, 'runId' | 'service' | 'store'>): Record<string, string> {
  return { [markName]: recordId(record), ARGUS_STORE: record.store };
}
