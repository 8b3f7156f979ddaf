import type { ServiceState } from '../environment/runtime.js';
import type { StructuredError } from '../model/error-code.js';
import type { Clock } from '../time/clock.js';
import { keptLines } from './gather-evidence.js';
import type { Evidence, OpenIncident } from './incident.js';

/** What stood in the place of evidence that was gathered while the service was being started again. */
export interface Stand {
  readonly evidence: Evidence;
  readonly error: StructuredError;
}

/**
 * Makes what leaves the last lines until this moment; those of after it are left out: those are the words of the service that is being started. The moment
 * is told by the runtime's clock, which may be another machine's: so long after the end that it has told.
 */
export function linesUntilNow(
  { now }: Pick<Clock, 'now'>,
  { endedAt = now() }: ServiceState,
  sinceMs: number,
): (evidence: Evidence) => Evidence {
  const until = endedAt + Math.ceil(sinceMs);
  const isBefore = ({ at = 0 }: Evidence['lines'][number]) => at <= until;
  return (evidence) => ({ ...evidence, lines: evidence.lines.filter(isBefore).slice(-keptLines) });
}

/** An incident with the whole evidence, where so far only its outline stood. */
export function completed(incident: OpenIncident, outline: Stand, whole: Stand): OpenIncident {
  return {
    ...incident,
    error: incident.error === outline.error ? whole.error : incident.error,
    restarts: incident.restarts.map((restart) =>
      restart.evidence === outline.evidence ? { ...restart, evidence: whole.evidence } : restart,
    ),
  };
}
