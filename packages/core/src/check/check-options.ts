import type { CheckFilter } from './select-checkers.js';

/** How to run the checks. */
export interface CheckOptions extends CheckFilter {
  /** Ends the run at once; it then throws `CANCELLED`. */
  readonly signal?: AbortSignal;
  /** How long all checks together may take, in milliseconds. What has no result by then is `unknown`. */
  readonly deadlineMs?: number;
  /** Is handed what a checker has thrown, for whoever needs to know where. */
  readonly onThrown?: (thrown: unknown, checker: string) => void;
}

/** How long all checks together may take unless someone says otherwise. */
export const defaultDeadlineMs = 10_000;

/** How long one check may take unless it says otherwise, in milliseconds. */
export const defaultTimeoutMs = 5_000;
