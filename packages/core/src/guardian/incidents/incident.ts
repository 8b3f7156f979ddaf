import type { LogLine, ServiceState } from '../../environment/runtime.js';
import type { StructuredError } from '../../model/error-code.js';
import type { JsonObject } from '../../model/json.js';

/** What was seen of a service that failed, before anything was done about it. */
export interface Evidence {
  /** When it was gathered; milliseconds since the epoch, as all moments here. */
  readonly at: number;
  readonly status: ServiceState['status'];
  readonly exitCode: number | null;
  readonly oomKilled: boolean;
  /**
   * Bytes; null where the runtime does not know them. The peak of a service that ran out of memory is its limit: it was killed for
   * having reached it, and what its runtime had counted is gone by then.
   */
  readonly memory: { readonly limit: number | null; readonly peak: number | null };
  readonly startedAt: number | null;
  readonly endedAt: number | null;
  /** The last lines of both streams, in the order in which they were written. */
  readonly lines: readonly Pick<LogLine, 'stream' | 'text' | 'at'>[];
  /** What the health check said last, oldest first. */
  readonly health: readonly string[];
  /** What else the runtime says of it. */
  readonly details: JsonObject;
  /** What plugins found out about it, such as `network` and `dns`; only for a failed health check, not of a service that is paused. */
  readonly diagnosis: JsonObject;
  /** What plugins think would help, where they know of something. */
  readonly suggestedActions?: readonly string[];
  /** What could not be gathered, and why. */
  readonly gaps: readonly string[];
}

/** One restart of a service. */
export interface RestartRecord {
  /** Its number in the incident, from 1. */
  readonly attempt: number;
  /** When it was begun, after the delay. */
  readonly at: number;
  /** Why, in a few words: `OOM`, `exit code 3`. */
  readonly reason: string;
  /** The code of the failure that it answers. */
  readonly code: string;
  readonly delayMs: number;
  readonly evidence: Evidence;
  /**
   * `pending` while it is under way; `not-needed` when the service was well again before it was touched; `unknown` when whoever
   * began it was gone before it could be told whether it was made.
   */
  readonly verdict: 'pending' | 'healthy' | 'failed' | 'not-needed' | 'unknown';
  /** What plugins put right before, `api: connected to its network again`. */
  readonly repaired?: readonly string[];
  /** What was put right was enough: this was a repair, and the service was not restarted. */
  readonly withoutRestart?: true;
  /** How long it took until the service was healthy. */
  readonly durationMs?: number;
}

const verdictsOfNone: readonly RestartRecord['verdict'][] = ['pending', 'not-needed', 'unknown'];

/** Whether an attempt was made, as far as anybody knows. */
export function wasMade({ verdict }: Pick<RestartRecord, 'verdict'>): boolean {
  return !verdictsOfNone.includes(verdict);
}

/** How many of the attempts of an incident were restarts, and how many repairs without one. One under way has not happened yet. */
export function countAttempts(attempts: readonly Pick<RestartRecord, 'verdict' | 'withoutRestart'>[]): {
  restarts: number;
  repairs: number;
} {
  const repairs = attempts.filter(({ withoutRestart }) => withoutRestart).length;
  return { restarts: attempts.filter(wasMade).length - repairs, repairs };
}

/** How an incident ended. `interrupted`: nobody was there long enough to call it recovered. */
export type IncidentOutcome = 'recovered' | 'exhausted' | 'observed' | 'interrupted';

/** One failure of one service and everything that was done about it, until it was stable again or given up. */
export interface Incident {
  readonly service: string;
  readonly runId: string;
  /** The folder that the run was set up in; records of before do not have it. */
  readonly worktree?: string;
  readonly startedAt: number;
  readonly endedAt: number;
  /** The test suite that ran when it began. */
  readonly suite?: string;
  /** The failure; `DEPENDENCY_RESTARTED` when only one that it is restarted with has failed, `CONTAINER_RESTART_EXHAUSTED` when it was given up. */
  readonly error: StructuredError;
  readonly restarts: readonly RestartRecord[];
  readonly outcome: IncidentOutcome;
  /** Why nothing, or nothing more, was done about it. */
  readonly refusal?: string;
  /** What was seen of the failure that no restart answers. */
  readonly evidence?: Evidence;
}

/** An incident that goes on. */
export type OpenIncident = Omit<Incident, 'endedAt' | 'outcome'>;

/** An incident for whoever asks, whether it goes on or has ended. */
export interface ToldIncident extends OpenIncident {
  readonly endedAt: number | null;
  readonly outcome: IncidentOutcome | 'open';
}

/** What a guardian has to tell when it ends. */
export interface GuardReport {
  readonly incidents: readonly Incident[];
}
