import { type StructuredError, structuredError } from '../../model/error-code.js';
import { containerCrash } from '../../model/service-error-codes.js';
import type { MissedService } from '../runs/expect-services.js';

/** The error of a service that is up by the record of its run and of which nothing is there. Only a setup brings it back. */
export function goneService({ run, service }: MissedService, reason: string, now: number): StructuredError {
  const message = `${service} is up by the record of its run, but ${reason}`;
  const details = { service, runId: run.id, status: 'missing', exitCode: null, finishedAt: null, reason };
  // There is nothing left that could be restarted, and nothing that has printed anything.
  return structuredError({ ...containerCrash, suggestedActions: ['setup'] }, { message, details }, now);
}
