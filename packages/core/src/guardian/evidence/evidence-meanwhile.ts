import type { ServiceState } from '../../environment/runtime.js';
import type { StructuredError } from '../../model/error-code.js';
import type { Clock } from '../../time/clock.js';
import type { Evidence, OpenIncident } from '../incidents/incident.js';
import type { Span } from './lines-within.js';

/** What stood in the place of evidence that was gathered while the service was being started again. */
export interface Stand {
  readonly evidence: Evidence;
  readonly error: StructuredError;
}

/**
 * From the start of a service that has ended to this moment, from which on it is being started again. By the runtime's clock, which
 * may be another machine's: so long after the end that it has told. What a service prints last may be written down after its
 * end, and before that is told.
 */
export function spanUntilNow(
  { now }: Pick<Clock, 'now'>,
  { startedAt, endedAt }: ServiceState,
  toldAt: number | undefined,
  sinceMs: number,
): Span {
  const ends = [endedAt, toldAt].filter((at) => at !== undefined);
  const end = ends.length === 0 ? now() : Math.max(...ends);
  return { ...(startedAt === undefined ? {} : { since: startedAt }), until: end + Math.ceil(sinceMs) };
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
