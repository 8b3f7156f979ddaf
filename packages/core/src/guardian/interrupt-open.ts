import type { Kernel } from '../kernel/kernel.js';
import { endIncident } from './end-incident.js';
import { GuardBook, openIncidents } from './guard-book.js';
import { Standing } from './standing.js';

/** Closes what is still open when the guardian ends in order: nobody will see how it goes on. */
export async function interruptOpen(kernel: Kernel, runId: string): Promise<void> {
  const book = new GuardBook(kernel, runId, kernel.config.resilience.container);
  const standing = new Standing();
  for (const incident of await openIncidents(kernel.store, runId)) {
    await endIncident({ kernel, book }, { name: incident.service, standing }, incident, 'interrupted', {});
  }
}
