import type { StructuredError } from './error-code.js';
import type { JsonObject } from './json.js';
import type { RecoveryStep, Risk } from './recoverer.js';

/** The finding that a step is meant to resolve. */
export interface FindingReference {
  /** The checker that found it. */
  check: string;
  /** Which of the things it looks at. */
  target?: string;
  code: string;
}

/** A finding that no step is for, with what tells what a person can do about it. */
export interface UnhandledFinding extends FindingReference {
  /** What its error says of why it is so, where it has a word for that. */
  reason?: string;
  /** Where in the configuration its cause is. */
  where?: JsonObject;
}

/** A step with the recoverer that would carry it out. */
export interface PlannedStep extends RecoveryStep {
  readonly recoverer: string;
  readonly risk: Risk;
  /** What it is meant to resolve. */
  readonly findings: FindingReference[];
}

/** What tells one step of a plan from the others: a recoverer plans no two for one target. */
export function stepKey({ recoverer, target, action }: PlannedStep): string {
  return JSON.stringify([recoverer, target, action]);
}

/** Exactly what would be done. */
export interface RecoveryPlan {
  project: string;
  /** Names this exact plan; nothing to do has none. */
  hash: string | null;
  steps: PlannedStep[];
  /** Problems that no loaded recoverer has a step for. */
  unhandled: UnhandledFinding[];
  /** Recoverers that could not make their plan. */
  notices: StructuredError[];
}
