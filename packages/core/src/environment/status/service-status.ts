import { endpointsOf } from '../ports/endpoints.js';
import type { RunService } from '../runs/run-record.js';
import type { ServiceState } from '../runtime.js';
import type { ServiceSpec } from '../services/service-spec.js';

/** How one service is, for whoever asks. */
export interface ServiceStatus {
  name: string;
  kind: ServiceSpec['kind'];
  runtime: string;
  status: ServiceState['status'] | 'paused' | 'unknown';
  health: 'healthy' | 'unhealthy' | 'starting' | 'none' | 'unknown';
  message: string;
  endpoints: string[];
  restarts: number;
  exitCode: number | null;
  startedAt: number | null;
  /** How it differs from what the configuration says by now. */
  note?: string;
}

/** What is said of a service of which there is nothing. */
export const nothing = { endpoints: [] as string[], restarts: 0, exitCode: null, startedAt: null };

/** What is said of a service that could not be looked at. */
export function unseen({ ports }: Pick<RunService, 'ports'>, failure: string) {
  const status = { status: 'unknown' as const, health: 'unknown' as const };
  return {
    ...nothing,
    ...status,
    message: `could not be looked at: ${failure}`,
    endpoints: endpointsOf(ports),
  };
}

/** What a look at a service tells, beside its health. */
export function seen(state: ServiceState, ports: ServiceSpec['ports']) {
  const { restarts = 0, exitCode = null, startedAt = null } = state;
  const status: ServiceStatus['status'] = state.paused ? 'paused' : state.status;
  return { status, restarts, exitCode, startedAt, endpoints: endpointsOf(ports) };
}

/** How well a service is, and in which words. */
export interface Health {
  readonly health: ServiceStatus['health'];
  readonly message: string;
}

/** The health that a service shows by itself. */
export function ownHealth(state: ServiceState, oneShot: boolean): Health {
  // Whatever a check has said, or would say after a long wait.
  if (state.paused) return { health: 'unhealthy', message: 'it is paused' };
  if (state.status !== 'exited')
    return { health: state.health ?? 'none', message: state.health ?? 'running' };
  const isDone = oneShot && state.exitCode === 0;
  return isDone ? { health: 'none', message: 'done' } : { health: 'unhealthy', message: messageOfEnd(state) };
}

/** How a service has ended, in a few words. */
export function messageOfEnd({ oomKilled, exitCode }: ServiceState): string {
  return oomKilled ? 'ran out of memory' : `exit code ${exitCode ?? 'unknown'}`;
}
