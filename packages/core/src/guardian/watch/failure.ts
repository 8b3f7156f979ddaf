import { formatSize } from '../../config/size.js';
import { ownCheckOf } from '../../environment/health/own-check.js';
import type { RunIdentity } from '../../environment/runs/run-record.js';
import type { ServiceState } from '../../environment/runtime.js';
import type { ServiceSpec } from '../../environment/services/service-spec.js';
import { causedEnd } from '../../environment/status/caused-end.js';
import { counted } from '../../model/counted.js';
import { type ErrorCode, type StructuredError, structuredError } from '../../model/error-code.js';
import { containerCrash, containerOom, healthCheckTimeout } from '../../model/service-error-codes.js';
import { suggesting } from '../../model/suggesting.js';
import type { Evidence } from '../incidents/incident.js';

/** How a service fails. */
export type Failure =
  | { readonly kind: 'oom' | 'crash'; readonly state: ServiceState; readonly why?: string }
  | {
      readonly kind: 'health';
      readonly state: ServiceState;
      /** The health check, in a few words. */
      readonly check: string;
      readonly tries: number;
      readonly outputs: readonly string[];
      /** Whether the service still answers, though not well. */
      readonly answers: boolean;
    };

/** What is known of a service beside how it is now. */
export interface Hearsay {
  /** When the runtime last told that memory ran out, since it was last started; nothing when it was killed by somebody since. */
  readonly oomAt: number | undefined;
  /** What the runtime still says of its memory is about an earlier start: some engines never take it back. */
  readonly isOomOld: boolean;
  /** Whether the health that the runtime reports counts. */
  readonly heedsHealth: boolean;
}

/**
 * What is wrong with a service, by the runtime's own word. An exit code is no proof of anything: whoever sends SIGKILL gets 137 as
 * well, and one whose worker was killed for its memory ends as it likes. Exit code 0 is a failure of a service that is meant to stay. One that is paused hangs, whether it has a
 * health check or not.
 */
export function failureOf(
  { oneShot }: Pick<ServiceSpec, 'oneShot'>,
  state: ServiceState,
  { oomAt, isOomOld, heedsHealth }: Hearsay,
): Failure | undefined {
  if (state.status === 'running') {
    if (state.paused) {
      const check = 'the runtime says that it is paused';
      return { kind: 'health', state, check, tries: 1, outputs: [], answers: false };
    }
    if (state.health !== 'unhealthy' || !heedsHealth) return undefined;
    return { kind: 'health', state, answers: true, ...ownCheckOf(state) };
  }
  if (state.status === 'exited' && oneShot && state.exitCode === 0) return undefined;
  const isTold = oomAt !== undefined && causedEnd(oomAt, state.endedAt);
  const isOom = state.oomAt !== undefined || isTold || (state.oomKilled === true && !isOomOld);
  return { kind: isOom ? 'oom' : 'crash', state };
}

/** Why, in a few words, for events and records. */
export function reasonOfFailure(failure: Failure): string {
  if (failure.kind === 'oom') return 'OOM';
  if (failure.state.paused) return 'it is paused';
  if (failure.kind === 'health') return `health check failed: ${failure.outputs.at(-1) ?? failure.check}`;
  const { state, why } = failure;
  if (why !== undefined) return why;
  return state.status === 'missing' ? 'it is gone' : `exit code ${state.exitCode ?? 'unknown'}`;
}

/** The failure as an error with a code. */
export function errorOf(
  failure: Failure,
  service: string,
  run: Pick<RunIdentity, 'id'>,
  evidence: Evidence,
): StructuredError {
  const lines = evidence.lines.map(({ text }) => text);
  if (failure.kind === 'health') {
    const { check, tries, outputs } = failure;
    const last = outputs.at(-1) ?? check;
    const message = failure.state.paused
      ? `${service} hangs: ${reasonOfFailure(failure)}`
      : `${service} is not well: its health check failed ${counted(tries, 'time')} in a row, last: ${last}`;
    const { diagnosis, suggestedActions = [] } = evidence;
    const details = { service, check, tries, outputs: [...outputs], lines, diagnosis };
    const code = suggesting(healthCheckTimeout, suggestedActions);
    return structuredError(code, { message, details }, evidence.at);
  }
  const { id, details: known = {} } = failure.state;
  const common = {
    service,
    runId: run.id,
    exitCode: evidence.exitCode,
    finishedAt: evidence.endedAt,
    lines,
    ...(typeof known.container === 'string' ? { container: known.container } : {}),
    ...(id === undefined ? {} : { id }),
  };
  if (failure.kind === 'oom') {
    const { limit, peak } = evidence.memory;
    const message = `${service} ran out of memory${limit === null ? '' : `: its limit is ${formatSize(limit)}`}`;
    const details = { ...common, memoryLimit: limit, memoryPeak: peak };
    return structuredError(withHistory(containerOom), { message, details }, evidence.at);
  }
  const details = {
    ...common,
    status: failure.state.status,
    ...(failure.why === undefined ? {} : { reason: failure.why }),
    ...(typeof known.signal === 'string' ? { signal: known.signal } : {}),
  };
  const message = `${service} ended unexpectedly: ${reasonOfFailure(failure)}`;
  return structuredError(withHistory(containerCrash), { message, details }, evidence.at);
}

/** What a guardian has seen it keeps, so that there is more to be read. */
function withHistory<Code extends ErrorCode>(code: Code): Code {
  return { ...code, suggestedActions: [...code.suggestedActions, 'incidents'] };
}
