import { labelNames, type RunIdentity } from '@argusai/core';

/** Names with their values, as an option of Docker takes them that may come often: `--label`, `--env`. */
export function assignments(values: Readonly<Record<string, string>>): string[] {
  return Object.entries(values).map(([name, value]) => `${name}=${value}`);
}

/** What everything of a run carries, and nothing else does. */
export function marksOf(run: Pick<RunIdentity, 'project' | 'id'>): Record<string, string> {
  return {
    [labelNames.managed]: 'true',
    [labelNames.project]: run.project,
    [labelNames.runId]: run.id,
  };
}
