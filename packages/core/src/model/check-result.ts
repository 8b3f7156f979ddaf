import type { ErrorCode, Occurrence, StructuredError } from './error-code.js';
import type { JsonObject } from './json.js';

/** What a check came to. `unknown` means that it could not be told, which is never a pass. */
export type CheckStatus = 'pass' | 'warn' | 'fail' | 'unknown' | 'skipped';

/** What another checker may have found that explains a problem: it must be among those that the checker `follows`. */
export interface Cause {
  readonly check: string;
  /** Which of its things; left out where it looks at only one. */
  readonly target?: string | undefined;
}

/** What a checker returns about one thing it looked at. */
export type CheckOutcome = {
  /** Which of several things, when a checker looks at more than one: a path, a service, a port. */
  readonly target?: string;
  readonly message: string;
  readonly details?: JsonObject;
} & (
  | { readonly status: 'pass' | 'skipped'; readonly error?: undefined }
  | { readonly status: 'unknown'; readonly error?: undefined; readonly causedBy?: Cause | undefined }
  | { readonly status: 'warn' | 'fail'; readonly error: StructuredError; readonly causedBy?: Cause }
);

/** One line of a health report. */
export interface HealthCheckResult {
  /** The checker's name, such as `disk.space`. */
  name: string;
  /** The plugin that registered the checker. */
  plugin: string;
  /** Which of several things the checker looked at. */
  target?: string;
  status: CheckStatus;
  message: string;
  details: JsonObject;
  /** Milliseconds. */
  duration: number;
  /** The problem, for `warn` and `fail`, and for an `unknown` whose check broke. */
  error?: StructuredError;
  /** The check whose result made this one pointless, or explains it, for `skipped`. */
  causedBy?: string;
  /** Which of the things of that check, where it is one of them. */
  causedByTarget?: string;
}

/** What a checker may say about a thing besides its message. */
export interface Remark {
  target?: string;
  details?: JsonObject;
}

/** What a checker may say about a thing that it could not look at. */
export interface UnknownRemark extends Remark {
  causedBy?: Cause | undefined;
}

/** Makes the outcome of a problem. */
export type ReportProblem = <Code extends string, Details extends JsonObject>(
  code: ErrorCode<Code, Details>,
  occurrence: Occurrence<Details> & { target?: string; causedBy?: Cause },
) => CheckOutcome;
