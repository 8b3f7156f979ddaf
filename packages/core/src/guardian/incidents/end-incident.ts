import type { Guarded, Watch } from '../guarded.js';
import { closeIncident } from './close-incident.js';
import type { Incident, IncidentOutcome, OpenIncident } from './incident.js';

/** Closes the incident of a service that nobody brings back any more, or that is back: whoever needs it goes on. Gives the outcome. */
export async function endIncident(
  watch: Pick<Watch, 'kernel' | 'book'>,
  { name, standing }: Pick<Guarded, 'name' | 'standing'>,
  incident: OpenIncident | undefined,
  outcome: IncidentOutcome,
  rest: Pick<Incident, 'refusal' | 'evidence'>,
): Promise<IncidentOutcome> {
  standing.up();
  return closeIncident(watch, name, incident, outcome, rest);
}
