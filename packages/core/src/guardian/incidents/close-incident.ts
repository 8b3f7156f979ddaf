import type { Watch } from '../guarded.js';
import { countAttempts, type Incident, type IncidentOutcome, type OpenIncident } from './incident.js';
import { appendIncident } from './incidents.js';
import { pendingOf, withoutPending } from './pending-restarts.js';

const words: Readonly<Record<IncidentOutcome, string>> = {
  recovered: 'it is well and stays so',
  exhausted: 'it is restarted no more',
  observed: 'it is left as it is',
  interrupted: 'nobody watched it long enough',
};

/** Closes an incident of a service: from now on it is history. Only one that has recovered has all its restarts before it again. Gives the outcome. */
export async function closeIncident(
  { kernel, book }: Pick<Watch, 'kernel' | 'book'>,
  name: string,
  incident: OpenIncident | undefined,
  outcome: IncidentOutcome,
  rest: Pick<Incident, 'refusal' | 'evidence'>,
): Promise<IncidentOutcome> {
  if (outcome === 'recovered') await book.settle(name);
  else if (outcome === 'exhausted') await book.giveUp(name);
  else await book.note(name, undefined);
  if (!incident) return outcome;
  const unknown = pendingOf(incident);
  if (unknown > 0) await book.noteUnknown(name, unknown);
  const told = withoutPending(incident);
  await appendIncident(kernel, { ...told, ...rest, endedAt: kernel.clock.now(), outcome });
  const message = rest.refusal === undefined ? words[outcome] : `${words[outcome]}: ${rest.refusal}`;
  const counts = countAttempts(incident.restarts);
  kernel.events.emit('incident_end', { service: name, outcome, ...counts, message });
  return outcome;
}
