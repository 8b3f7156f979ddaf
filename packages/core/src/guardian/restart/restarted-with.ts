import { isErrorOf, type StructuredError, structuredError } from '../../model/error-code.js';
import { type JsonObject, toJson } from '../../model/json.js';
import { dependencyRestarted } from '../../model/service-error-codes.js';
import type { Request } from '../guarded.js';
import type { OpenIncident } from '../incidents/incident.js';

/** Why a service is restarted that has not failed itself: the failure that began it is in the details. */
export function restartedWith(
  service: string,
  { path, error }: Pick<Request, 'path' | 'error'>,
  at: number,
): StructuredError {
  const other = path.at(-1) ?? service;
  const cause = toJson(error) as JsonObject;
  const occurrence = {
    message: `${reasonOfRestartWith(other)}, because ${error.message}`,
    details: { service, with: other, path: [...path], cause },
  };
  return structuredError(dependencyRestarted, occurrence, at);
}

/** The same in a few words. */
export function reasonOfRestartWith(other: string): string {
  return `restarted with ${other}`;
}

/** The restart that an open incident still owes: it was put off, and whoever put it off is gone. */
export function owedRestart({ error, restarts }: OpenIncident): Request | undefined {
  if (restarts.length > 0 || !isErrorOf(error, dependencyRestarted)) return undefined;
  const { path, cause } = error.details;
  return { action: 'restart', path, error: cause as unknown as StructuredError };
}
