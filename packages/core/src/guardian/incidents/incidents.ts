import type { Kernel } from '../../kernel/kernel.js';
import { present } from '../../kernel/present.js';
import type { Json } from '../../model/json.js';
import type { StateStore } from '../../state/state-store.js';
import type { Incident } from './incident.js';

/** How many incidents of a project are kept, with all their evidence. */
const retention = { maxEntries: 200 };

/** Whose incidents they are, and where they are kept. */
interface Place {
  readonly store: StateStore;
  readonly project: { readonly name: string };
}

function streamOf(project: string): string {
  return `incidents/${project}`;
}

/** Appends an incident to the project's. */
export async function appendIncident(kernel: Kernel, incident: Incident): Promise<void> {
  const { store, project } = kernel;
  await store.append(streamOf(project.name), present(kernel, incident) as unknown as Json, retention);
}

/** Incidents of a run, oldest first; only those that were told after a mark, if there is one. */
export async function incidentsOf(place: Place, runId: string, after = 0): Promise<Incident[]> {
  return (await allIncidents(place, after)).filter((incident) => incident.runId === runId);
}

/** Incidents of all runs of the project that are still known, oldest first. */
export async function allIncidents({ store, project }: Place, after = 0): Promise<Incident[]> {
  const entries = await store.read(streamOf(project.name), { after });
  return entries.map(({ value }) => value as unknown as Incident);
}

/** A mark after everything that was told so far. */
export async function markIncidents({ store, project }: Kernel): Promise<number> {
  const [last] = await store.read(streamOf(project.name), { last: 1 });
  return last?.sequence ?? 0;
}
