import type { Clock } from '../time/clock.js';
import type { HealthCheckResult } from './check-result.js';
import type { ErrorCode, StructuredError } from './error-code.js';
import type { JsonObject } from './json.js';
import type { Project } from './project.js';

/** What a repair can cost: nothing, an interruption, or something that cannot be had back. */
export type Risk = 'safe' | 'disruptive' | 'destructive';

/** A problem that a check found, with the result it stands in. */
export interface Finding {
  readonly check: HealthCheckResult;
  readonly error: StructuredError;
}

/** One exact thing that a recoverer would do to one resource. */
export interface RecoveryStep {
  /**
   * The resource, as `kind:identity`: `service:api`, `container:4f2a`, `path:/tmp/x`. The budget is kept by it, so
   * a restart names what survives the restart: the service, not its process.
   */
  readonly target: string;
  /** The service that the resource is or belongs to, where there is one: what is excluded as `service:api` is not touched under another name either. */
  readonly service?: string;
  /** What happens to it, in one word: `remove`, `restart`. */
  readonly action: string;
  /** The same for people, in one line. */
  readonly description: string;
  /** Whether it can be undone. */
  readonly reversible: boolean;
  /** The targets of the findings it is meant to resolve; all of the recoverer's findings when left out. */
  readonly resolves?: string[];
  /** What `apply` needs. It is part of the plan's hash, so it must be the same while nothing changes. */
  readonly data?: JsonObject;
}

/** What became of one step. */
export type StepResult =
  | { readonly target: string; readonly applied: true }
  | { readonly target: string; readonly applied: false; readonly error: StructuredError };

/** What a recoverer is given to make its plan. */
export interface PlanContext {
  /** The problems with a code that the recoverer handles. */
  readonly findings: readonly Finding[];
  readonly signal: AbortSignal;
  readonly project: Project;
  readonly clock: Clock;
}

/** What a recoverer is given to carry out its plan. */
export interface ApplyContext {
  /** Steps of its own plan that the policy let through, in its order: a few of them, where there are many. */
  readonly steps: readonly RecoveryStep[];
  readonly signal: AbortSignal;
  readonly project: Project;
  readonly clock: Clock;
}

/** Handles problems: says exactly what it would do, then does exactly that. */
export interface Recoverer {
  /** The plugin's name, a dot, and what it does: `orphans.clean`. */
  readonly name: string;
  /** What it does, in one line. */
  readonly description?: string;
  /** The codes it handles. */
  readonly handles: readonly ErrorCode[];
  readonly risk: Risk;
  /** The exact steps, the same ones as long as nothing changes. Changes nothing itself. */
  plan(context: PlanContext): RecoveryStep[] | Promise<RecoveryStep[]>;
  /**
   * Carries out the steps, and is called again for those that follow: so that a repair can be stopped, only some are handed over at a
   * time, and going through them ends when it is cancelled. Applying twice must do no more than applying once. Steps that it does not report on
   * count as applied; whether they worked is for the check that follows to say.
   */
  // biome-ignore lint/suspicious/noConfusingVoidType: a recoverer with nothing to report returns nothing.
  apply(context: ApplyContext): Promise<StepResult[] | void>;
  /** What should be kept before the resource is touched: logs, exit codes, memory figures. */
  evidence?(step: RecoveryStep, context: PlanContext): JsonObject | Promise<JsonObject>;
}

/** Declares a recoverer. */
export function defineRecoverer(recoverer: Recoverer): Recoverer {
  return Object.freeze({ ...recoverer });
}
