import type { StructuredError } from '../../model/error-code.js';
import type { Guarded, Watch } from '../guarded.js';
import type { OpenIncident } from './incident.js';

/** An incident that begins now. */
export function beginning(
  { run, kernel, suites }: Watch,
  { name }: Guarded,
  error: StructuredError,
): OpenIncident {
  const suite = suites?.running ?? undefined;
  return {
    service: name,
    runId: run.id,
    worktree: run.worktree,
    startedAt: kernel.clock.now(),
    error,
    restarts: [],
    ...(suite === undefined ? {} : { suite }),
  };
}
