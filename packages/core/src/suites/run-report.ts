import { constants } from 'node:os';
import type { TakenDown } from '../environment/removal/taken-down.js';
import type { SetupResult } from '../environment/setup/setup-result.js';
import { type Incident, type RestartRecord, wasMade } from '../guardian/incidents/incident.js';
import type { StructuredError } from '../model/error-code.js';
import type { CommandEnd } from './run-command.js';

/** A restart that was made during a suite, or after it and before the next. */
export interface SuiteRestart
  extends Pick<RestartRecord, 'attempt' | 'at' | 'reason' | 'code' | 'verdict' | 'withoutRestart'> {
  readonly service: string;
  /** How long it took until the service was healthy, in milliseconds. */
  readonly durationMs?: number;
}

/** What came of one suite. */
export interface SuiteResult extends CommandEnd {
  readonly id: string;
  readonly name?: string;
  readonly command: readonly string[];
  readonly outcome: 'passed' | 'failed' | 'timed-out' | 'interrupted';
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** Milliseconds. */
  readonly duration: number;
  readonly restarts: readonly SuiteRestart[];
}

/** What came of all of it. */
export interface RunReport {
  readonly outcome: 'passed' | 'failed';
  /** Of the first suite that failed: its own, 128 and the number of the signal, or 124 when it took too long; 1 when the environment was taken down meanwhile. */
  readonly exitCode: number;
  readonly suites: readonly SuiteResult[];
  readonly setup: SetupResult;
  /** What was taken down in the end; null when the environment stays up, or somebody else has taken it down. */
  readonly takenDown: TakenDown | null;
  /** Somebody else has taken the environment down. */
  readonly removedMeanwhile: boolean;
  readonly incidents: readonly Incident[];
  /** What went wrong beside the tests. */
  readonly notices: readonly StructuredError[];
}

/** The exit code of `timeout` when the time is over. */
const timedOutCode = 124;

/** What a suite's end means for whoever asks for an exit code; a signal that is not known counts as any failure. */
export function exitCodeOf({ exitCode, signal, timedOut }: CommandEnd): number {
  if (timedOut) return timedOutCode;
  if (signal !== null) return 128 + (constants.signals[signal] ?? 0);
  return exitCode ?? 1;
}

/** Gives each restart to the suite during or after which it was made, before the next began; one of before the first to that in which its failure began. What was still under way in the end, only its incident tells. */
export function withRestarts(
  suites: readonly Omit<SuiteResult, 'restarts'>[],
  incidents: readonly Incident[],
): SuiteResult[] {
  const restarts = incidents.flatMap(({ service, suite, restarts: all }) =>
    all.filter(wasMade).map(({ attempt, at, reason, code, verdict, durationMs, withoutRestart }) => {
      // Of the very moment in which a suite began, only where the failure began tells.
      const begun = suites.findLast(
        ({ id, startedAt }) => startedAt < at || (startedAt === at && id === suite),
      );
      const more = {
        ...(durationMs === undefined ? {} : { durationMs }),
        ...(withoutRestart ? { withoutRestart } : {}),
      };
      return { owner: begun?.id ?? suite, one: { service, attempt, at, reason, code, verdict, ...more } };
    }),
  );
  return suites.map((suite) => ({
    ...suite,
    restarts: restarts.flatMap(({ owner, one }) => (owner === suite.id ? [one] : [])),
  }));
}
