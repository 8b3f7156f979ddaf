import type { Clock } from '../time/clock.js';
import type { CheckOutcome, Remark, ReportProblem, UnknownRemark } from './check-result.js';
import type { ErrorCode } from './error-code.js';
import type { Project } from './project.js';

/** What a checker is given for its work. Everything in it may be destructured. */
export interface CheckContext {
  /** The thing is as it should be. */
  readonly pass: (message: string, remark?: Remark) => CheckOutcome;
  /** The thing works, but not for long. */
  readonly warn: ReportProblem;
  /** The thing does not work. */
  readonly fail: ReportProblem;
  /** It could not be told. */
  readonly unknown: (message: string, remark?: UnknownRemark) => CheckOutcome;
  /** There is nothing to look at. */
  readonly skip: (message: string, remark?: Remark) => CheckOutcome;
  /** Aborts when the check's time is up or the run is cancelled. */
  readonly signal: AbortSignal;
  readonly project: Project;
  readonly clock: Clock;
}

/** Looks at one kind of thing and never changes anything. */
export interface Checker {
  /** The plugin's name, a dot, and what is looked at: `disk.space`. */
  readonly name: string;
  /** What it looks at, in one line. */
  readonly description?: string;
  /** The codes that its results can have, for those who want to know beforehand. */
  readonly codes?: readonly ErrorCode[];
  /** Checkers that must not have failed for this one to make sense. */
  readonly requires?: readonly string[];
  /**
   * Checkers that may have found the cause of what this one finds, which it names with `causedBy`: then the cause is the one finding, and
   * this one is skipped because of it. They need not be loaded.
   */
  readonly follows?: readonly string[];
  /** How long it may take, in milliseconds. Without it five seconds. The deadline of all checks together holds in any case. */
  readonly timeoutMs?: number;
  /** Looks at what a setup itself has made. Such a check does not stand in the way of a setup, which would mend it. */
  readonly ofRun?: boolean;
  /** It never fails and takes its time. A setup goes on whatever it says, and so does not wait for it. */
  readonly advisory?: boolean;
  /** An unhealthy thing is a returned outcome; a throw means that the check itself broke. */
  check(context: CheckContext): CheckOutcome | CheckOutcome[] | Promise<CheckOutcome | CheckOutcome[]>;
}

/** Declares a checker. */
export function defineChecker(checker: Checker): Checker {
  return Object.freeze({ ...checker });
}
