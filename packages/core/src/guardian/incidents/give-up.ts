import { formatDuration } from '../../config/duration.js';
import { counted } from '../../model/counted.js';
import { type ErrorCode, type StructuredError, structuredError } from '../../model/error-code.js';
import { toJson } from '../../model/json.js';
import { containerRestartExhausted } from '../../model/service-error-codes.js';
import { suggesting } from '../../model/suggesting.js';
import type { CountedRestart, RestartLimits } from './guard-book.js';
import { countAttempts, type Evidence, type OpenIncident } from './incident.js';

/** The failure that is answered no more. */
export interface LastFailure {
  readonly error: StructuredError;
  readonly reason: string;
  readonly evidence: Evidence;
}

/** Which limit was met, and by which restarts: of this incident and, as far as the book knows, those before it. */
export type LimitMet =
  | {
      readonly limit: 'max-restarts';
      /** How often it was restarted since it was last stable. */
      readonly attempts: number;
      readonly counted: readonly CountedRestart[];
    }
  | {
      readonly limit: 'storm-limit';
      readonly stormLimit: RestartLimits['stormLimit'];
      readonly counted: readonly CountedRestart[];
    };

type Details = typeof containerRestartExhausted extends ErrorCode<string, infer Found> ? Found : never;

const patterns: Readonly<Record<string, string>> = {
  CONTAINER_CRASH: 'crash-loop',
  CONTAINER_OOM: 'out-of-memory-loop',
  HEALTH_CHECK_TIMEOUT: 'health-loop',
};

/** The error of a service that is restarted no more: how it fails, and all that was seen and done. */
export function exhausted(
  { service, runId, restarts }: OpenIncident,
  { error, reason, evidence }: LastFailure,
  met: LimitMet,
): StructuredError {
  const attempts = attemptsOf(met);
  const codes = new Set([...restarts.map(({ code }) => code), error.code]);
  // What was never restarted has failed once, and that is no loop.
  const isLoop = attempts > 0;
  const pattern = !isLoop ? 'once' : codes.size === 1 ? (patterns[error.code] ?? 'mixed') : 'mixed';
  const last = { attempt: attempts + 1, reason, code: error.code, evidence, verdict: 'given-up' };
  const storm = met.limit === 'storm-limit' ? { stormLimit: met.stormLimit, counted: [...met.counted] } : {};
  const history = [...earlier(restarts, met), ...restarts, last].map((one) => toJson(one));
  const details = {
    service,
    runId,
    attempts,
    limit: met.limit,
    pattern,
    ...storm,
    cause: { code: error.code, message: error.message },
    history: history as Details['history'],
  };
  // It is told as long as it is remembered, also when the service has been started again since: so not as what is.
  const message = `${service} was not restarted${isLoop ? ' any more' : ''} (${describe(pattern, reason, evidence)}): ${whyOf(met, restarts)}`;
  const code = suggesting(containerRestartExhausted, evidence.suggestedActions ?? []);
  return structuredError(code, { message, details }, evidence.at);
}

/** How many restarts have met the limit. */
export function attemptsOf(met: LimitMet): number {
  return met.limit === 'storm-limit' ? met.counted.length : met.attempts;
}

function whyOf(met: LimitMet, made: OpenIncident['restarts']): string {
  const attempts = attemptsOf(met);
  const { repairs } = countAttempts(made);
  if (attempts === 0)
    return `resilience.container.${met.limit === 'max-restarts' ? 'maxRestarts' : 'stormLimit.max'} is 0`;
  if (met.limit === 'max-restarts' && repairs > 0)
    return `${counted(attempts, 'attempt')} did not help, ${repairs} without a restart`;
  if (met.limit === 'max-restarts') return `${counted(attempts, 'restart')} did not help`;
  const often = attempts === 1 ? 'once' : `${attempts} times`;
  return `it was restarted too often lately: ${often} within ${formatDuration(met.stormLimit.per)}`;
}

/** The restarts before those of this incident; there is no evidence of them here, but their own incidents have it. */
function earlier(restarts: OpenIncident['restarts'], met: LimitMet) {
  const [first] = restarts;
  const before = met.counted.filter(({ at }) => first === undefined || at < first.at);
  const count = Math.max(0, attemptsOf(met) - restarts.length);
  return before
    .slice(Math.max(0, before.length - count))
    .map(({ at, reason }, index) => ({ attempt: index + 1, at, reason }));
}

/** `crash loop, last exit code 3 after 1s`. */
function describe(pattern: string, reason: string, { startedAt, endedAt }: Evidence): string {
  const ran =
    startedAt !== null && endedAt !== null && endedAt >= startedAt ? endedAt - startedAt : undefined;
  const last = `${reason}${ran === undefined ? '' : ` after ${formatDuration(ran)}`}`;
  if (pattern === 'once') return last;
  const words = pattern === 'mixed' ? 'it fails in several ways' : pattern.replaceAll('-', ' ');
  return `${words}, last ${last}`;
}
