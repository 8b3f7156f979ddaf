import type { Kernel } from '../../kernel/kernel.js';
import { closeIncident } from './close-incident.js';
import { GuardBook, openIncidents } from './guard-book.js';

/** Closes what is still open when the guardian ends in order: nobody will see how it goes on. */
export async function interruptOpen(kernel: Kernel, runId: string): Promise<void> {
  const book = new GuardBook(kernel, runId, kernel.config.resilience.container);
  for (const incident of await openIncidents(kernel.store, runId)) {
    await closeIncident({ kernel, book }, incident.service, incident, 'interrupted', {});
  }
}
