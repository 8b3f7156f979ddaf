import type { StructuredError } from '../../model/error-code.js';
import { systemClock } from '../../time/clock.js';
import { limitedSignal } from '../../time/limited-signal.js';
import { bareAddress } from '../ports/address.js';
import type { HealthSpec } from '../services/service-spec.js';

/** What one try of a health check came to. */
export interface ProbeResult {
  readonly healthy: boolean;
  /** It answered, although it says that it is not well. */
  readonly answered?: true;
  /** It answered that there is nothing at this path. */
  readonly isNowhere?: true;
  /** What was to try it does not answer either, so nothing is known of the service: why not. */
  readonly unknown?: StructuredError;
  /** Somebody else listens where it was to be asked. */
  readonly conflict?: StructuredError;
  /** What was seen: `GET /health answered 503`. */
  readonly output: string;
}

/** Tries an HTTP health check from the host. Any status below 400 is healthy. Rejects when the signal aborts: then nothing was measured. */
export async function probeHttp(url: string, timeoutMs: number, signal: AbortSignal): Promise<ProbeResult> {
  const http = url.startsWith('https:') ? await import('node:https') : await import('node:http');
  return new Promise((resolve, reject) => {
    const done = (result: ProbeResult) => resolve({ ...result, output: `GET ${url} ${result.output}` });
    const limit = limitedSignal(systemClock, timeoutMs, signal);
    const request = http.get(url, { signal: limit.signal, agent: false }, (response) => {
      response.resume();
      const { statusCode = 0 } = response;
      const output = `answered ${statusCode}`;
      if (statusCode < 400) return done({ healthy: true, output });
      const nowhere = statusCode === 404 || statusCode === 410 ? { isNowhere: true as const } : {};
      done({ healthy: false, answered: true, ...nowhere, output });
    });
    request.on('error', (error) => {
      if (signal.aborted) reject(signal.reason);
      else done({ healthy: false, output: reasonOf(error, limit.signal, timeoutMs) });
    });
    request.on('close', limit.release);
  });
}

/** How long a relayed connection must last to count, in milliseconds. */
const lastingMs = 100;

/**
 * Tries whether a port of this machine accepts a connection. What publishes the ports of containers accepts before it knows
 * whether anything listens inside, and hangs up when nothing does; so a relayed connection must last, or bring something.
 * Rejects when the signal aborts.
 */
export async function probeTcp(
  host: string,
  port: number,
  timeoutMs: number,
  signal: AbortSignal,
  { relayed = false } = {},
): Promise<ProbeResult> {
  const { connect } = await import('node:net');
  return new Promise((resolve, reject) => {
    const limit = limitedSignal(systemClock, timeoutMs, signal);
    const socket = connect({ host: bareAddress(host), port, signal: limit.signal });
    socket.once('close', limit.release);
    const done = (healthy: boolean, output: string) => {
      socket.destroy();
      resolve({ healthy, output: `connecting to ${host}:${port} ${output}` });
    };
    const succeed = () => done(true, 'succeeded');
    socket.once('error', (error) => {
      if (signal.aborted) reject(signal.reason);
      else done(false, reasonOf(error, limit.signal, timeoutMs));
    });
    socket.once('connect', () => {
      if (!relayed) return succeed();
      const lasting = setTimeout(succeed, lastingMs);
      socket.once('data', succeed);
      socket.once('end', () => done(false, 'was ended at once, as if nothing listened inside'));
      socket.once('close', () => clearTimeout(lasting));
    });
  });
}

/** What a health check does, in a few words for messages. */
export function describeCheck({ http, tcp, command }: HealthSpec): string {
  if (http !== undefined) return `GET ${http}`;
  if (tcp !== undefined) return `a connection to port ${tcp}`;
  return Array.isArray(command) ? command.join(' ') : String(command);
}

function reasonOf(error: Error, limit: AbortSignal, timeoutMs: number): string {
  if (limit.aborted) return `gave no answer within ${timeoutMs} ms`;
  return `failed: ${'code' in error ? String(error.code) : error.message}`;
}
