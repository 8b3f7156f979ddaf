import type { HealthSpec } from '../service-spec.js';

/** What one try of a health check came to. */
export interface ProbeResult {
  readonly healthy: boolean;
  /** What was seen: `GET /health answered 503`. */
  readonly output: string;
}

/** Tries an HTTP health check from the host. Any status below 400 is healthy. */
export async function probeHttp(url: string, timeoutMs: number, signal: AbortSignal): Promise<ProbeResult> {
  const http = url.startsWith('https:') ? await import('node:https') : await import('node:http');
  return new Promise((resolve) => {
    const done = (healthy: boolean, output: string) => resolve({ healthy, output: `GET ${url} ${output}` });
    const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
    const request = http.get(url, { signal: limit, agent: false }, (response) => {
      response.resume();
      const { statusCode = 0 } = response;
      done(statusCode < 400, `answered ${statusCode}`);
    });
    request.on('error', (error) => done(false, reasonOf(error, limit, timeoutMs)));
  });
}

/** Tries whether a port of this machine accepts a connection. */
export async function probeTcp(
  host: string,
  port: number,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<ProbeResult> {
  const { connect } = await import('node:net');
  return new Promise((resolve) => {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
    const socket = connect({ host: host.replace(/^\[|\]$/g, ''), port, signal: limit });
    const done = (healthy: boolean, output: string) => {
      socket.destroy();
      resolve({ healthy, output: `connecting to ${host}:${port} ${output}` });
    };
    socket.once('connect', () => done(true, 'succeeded'));
    socket.once('error', (error) => done(false, reasonOf(error, limit, timeoutMs)));
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
