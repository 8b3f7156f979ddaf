import { formatDuration } from '../config/duration.js';
import { containerRestartExhausted } from '../model/environment-error-codes.js';
import { type StructuredError, structuredError } from '../model/error-code.js';
import { type JsonObject, toJson } from '../model/json.js';
import { suggesting } from '../model/suggesting.js';
import type { Evidence, OpenIncident } from './incident.js';

/** The failure that is answered no more. */
export interface LastFailure {
  readonly error: StructuredError;
  readonly reason: string;
  readonly evidence: Evidence;
  readonly limit: 'max-restarts' | 'storm-limit';
}

const patterns: Readonly<Record<string, string>> = {
  CONTAINER_CRASH: 'crash-loop',
  CONTAINER_OOM: 'out-of-memory-loop',
  HEALTH_CHECK_TIMEOUT: 'health-loop',
};

/** The error of a service that is restarted no more: how it fails, and all that was seen and done. */
export function exhausted(
  { service, runId, restarts }: OpenIncident,
  { error, reason, evidence, limit }: LastFailure,
): StructuredError {
  const attempts = restarts.length;
  const codes = new Set([...restarts.map(({ code }) => code), error.code]);
  const pattern = codes.size === 1 ? (patterns[error.code] ?? 'mixed') : 'mixed';
  const last = { attempt: attempts + 1, reason, code: error.code, evidence, verdict: 'given-up' };
  const why =
    limit === 'max-restarts'
      ? `${attempts} ${attempts === 1 ? 'restart' : 'restarts'} did not help`
      : 'it was restarted too often lately';
  return structuredError(
    suggesting(containerRestartExhausted, evidence.suggestedActions ?? []),
    {
      message: `${service} is restarted no more (${describe(pattern, reason, evidence)}): ${why}`,
      details: {
        ...{ service, runId, attempts, limit, pattern },
        cause: { code: error.code, message: error.message },
        history: [...restarts, last].map((one) => toJson(one) as JsonObject),
      },
    },
    evidence.at,
  );
}

/** `crash loop, last exit code 3 after 1s`. */
function describe(pattern: string, reason: string, { startedAt, endedAt }: Evidence): string {
  const ran =
    startedAt !== null && endedAt !== null && endedAt >= startedAt ? endedAt - startedAt : undefined;
  const words = pattern === 'mixed' ? 'it fails in several ways' : pattern.replaceAll('-', ' ');
  return `${words}, last ${reason}${ran === undefined ? '' : ` after ${formatDuration(ran)}`}`;
}
