import { labelNames, type RunIdentity } from '@argusai/core';

/** Labels as options of a command that makes something. */
export function labelArguments(labels: Readonly<Record<string, string>>): string[] {
  return Object.entries(labels).flatMap(([name, value]) => ['--label', `${name}=${value}`]);
}

/** What everything of a run carries, and nothing else does. */
export function marksOf(run: Pick<RunIdentity, 'project' | 'id'>): Record<string, string> {
  return {
    [labelNames.managed]: 'true',
    [labelNames.project]: run.project,
    [labelNames.runId]: run.id,
  };
}
