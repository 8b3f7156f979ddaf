import type { IncomingMessage } from 'node:http';
import type { TLSSocket } from 'node:tls';
import type { HttpTarget } from '../options.js';
import { inTime, type TimeFrame } from './in-time.js';

/** What a server answered. */
export interface Answer {
  /** Where the answer came from, when redirects were followed. */
  readonly url: string;
  readonly status: number;
  /** Until the first of it was there, over all redirects, in milliseconds. */
  readonly latencyMs: number;
  /** As much of it as is needed; nothing when nobody asked for it. */
  readonly body?: string;
  /** When the certificate runs out, in milliseconds since the epoch. */
  readonly validTo?: number;
  /** It sends on to somewhere else, and that was one time too many. */
  readonly tooManyRedirects: boolean;
}

/** How much of a body is read. */
const bodyBytes = 1_048_576;

/** Asks for a URL. Throws what stood in the way of an answer. */
export async function request(target: HttpTarget, frame: TimeFrame): Promise<Answer> {
  return inTime(frame, target.timeout, async (signal) => {
    let { url, headers } = target;
    let latencyMs = 0;
    for (let left = target.redirects; ; left--) {
      const { response, tookMs } = await ask(url, { ...target, headers }, { ...frame, signal });
      latencyMs += tookMs;
      const next = locationOf(response, url);
      if (next === undefined || left <= 0) {
        const validTo = validToOf(response);
        const body = target.body === undefined ? undefined : await read(response);
        response.destroy();
        return {
          ...{ url, status: response.statusCode ?? 0, latencyMs },
          ...(body === undefined ? {} : { body }),
          ...(validTo === undefined ? {} : { validTo }),
          tooManyRedirects: next !== undefined && target.redirects > 0,
        };
      }
      response.destroy();
      // What is meant for one server, such as a password, is nobody else's.
      if (new URL(next).origin !== new URL(url).origin) headers = {};
      url = next;
    }
  });
}

/** One question and its answer, and what was between the two: loading a library is not the server's time. */
async function ask(
  url: string,
  target: HttpTarget,
  { clock, signal }: TimeFrame,
): Promise<{ response: IncomingMessage; tookMs: number }> {
  const { method, headers, insecure } = target;
  const http = url.startsWith('https:') ? await import('node:https') : await import('node:http');
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    // An agent of its own: no connection is kept, and no proxy of the surroundings is used.
    const options = { method, headers, signal, agent: false, rejectUnauthorized: !insecure } as const;
    const begun = clock.monotonic();
    const sent = http.request(url, options, (response) =>
      resolve({ response, tookMs: clock.monotonic() - begun }),
    );
    sent.once('error', reject);
    sent.end();
  });
}

async function read(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= bodyBytes) break;
  }
  return Buffer.concat(chunks).toString('utf8');
}

function locationOf({ statusCode = 0, headers: { location } }: IncomingMessage, url: string) {
  const isRedirect = statusCode >= 300 && statusCode < 400 && location !== undefined;
  return isRedirect && URL.canParse(location, url) && /^https?:/.test(new URL(location, url).href)
    ? new URL(location, url).href
    : undefined;
}

function validToOf({ socket }: IncomingMessage): number | undefined {
  if (!('getPeerCertificate' in socket)) return undefined;
  const validTo = Date.parse((socket as TLSSocket).getPeerCertificate().valid_to);
  return Number.isNaN(validTo) ? undefined : validTo;
}
