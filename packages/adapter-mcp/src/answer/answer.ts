import type { StructuredError } from '@argusai/core';

/** A tool to call next. */
export interface NextCall {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** A call that goes on: ask again with its `runId`. */
export interface Pending {
  readonly runId: string;
  readonly tool: string;
  readonly message: string;
}

/** What was left out of an answer, and how to have it. */
export interface Truncated {
  readonly bytes: number;
  readonly omitted: readonly string[];
  readonly more: string;
}

/** What a client is told: the envelope of the operation, and what concerns only this call of it. */
export interface Answer {
  readonly ok: boolean;
  readonly data?: unknown;
  readonly error?: StructuredError;
  /** What went wrong beside the work itself. */
  readonly notices?: readonly StructuredError[];
  readonly next?: NextCall;
  /** Names what was shown and not done; brought back with `confirm` after a person's yes, exactly that is done. */
  readonly hash?: string;
  /** What services and other programs said, under the names that stand for it in the sentences. */
  readonly untrusted?: Readonly<Record<string, string>>;
  readonly pending?: Pending;
  readonly truncated?: Truncated;
  /** The same call has failed for the third time with nothing changed: a person is needed. */
  readonly escalate?: true;
  readonly human?: string;
  /** What a person can do about the problem, where no call helps by itself. */
  readonly remedy?: string;
}
