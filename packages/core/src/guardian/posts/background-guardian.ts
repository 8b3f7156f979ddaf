import type { RunRecord } from '../../environment/runs/run-record.js';

/** The guardian of a run that works in the background, in its place or waiting for another one to leave; nothing when there is none. */
export function backgroundGuardian({ guardian }: Pick<RunRecord, 'guardian'>): RunRecord['guardian'] {
  return [guardian, guardian?.after].find((one) => one?.background);
}
