import type { Call, Line } from '../../environment/container-call.js';
import { errorsIn, type Trouble } from './structured-errors.js';

/** What is read of the results of all operations together. */
export interface Data {
  readonly runId: string;
  readonly overall: string;
  readonly checks: readonly { name: string; target?: string; status: string; error?: Trouble }[];
  readonly notices: readonly Trouble[];
  readonly portMappings: readonly { service: string; actualPort: number; reassigned: boolean }[];
  readonly services: readonly { name: string; status: string; health: string; restarts: number }[];
  readonly run: { readonly id: string; readonly state: string; readonly alive: boolean } | null;
  readonly suites: readonly { id: string; restarts: readonly unknown[] }[];
  readonly guardian: { readonly pid: number; readonly alive: boolean } | null;
  readonly incidents: readonly {
    readonly service: string;
    readonly startedAt: number;
    readonly outcome: string;
    readonly restarts: readonly {
      readonly at: number;
      readonly durationMs?: number;
      readonly delayMs: number;
      readonly evidence: { readonly endedAt: number | null };
    }[];
  }[];
  readonly hash: string;
  readonly steps: readonly unknown[];
}

/** What argus said to one command: its events, and the envelope at the end. */
export interface Answer {
  readonly args: readonly string[];
  /** Null when a signal ended it. */
  readonly code: number | null;
  readonly ok: boolean;
  readonly data?: Data;
  readonly error?: Trouble;
  /** Every structured error in the envelope, its own first. */
  readonly errors: readonly Trouble[];
  /** The stages of a setup that were begun. */
  readonly stages: readonly string[];
  readonly events: readonly Line[];
}

/** Reads what a call of `--format ndjson` has printed. */
export function answerOf(args: readonly string[], ended: Awaited<ReturnType<Call['ended']>>): Answer {
  const { code, events } = ended;
  const envelope = events.findLast(({ type }) => type === 'result') as
    | { ok: boolean; data?: Data; error?: Trouble }
    | undefined;
  const begun = events.flatMap(({ type, data }) =>
    type === 'setup_stage' && data?.state === 'started' && data.stage !== undefined ? [data.stage] : [],
  );
  return {
    args,
    code,
    events,
    stages: [...new Set(begun)],
    ok: envelope?.ok ?? false,
    errors: errorsIn(envelope),
    ...(envelope?.data ? { data: envelope.data } : {}),
    ...(envelope?.error ? { error: envelope.error } : {}),
  };
}
