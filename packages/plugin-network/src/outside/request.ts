import type { IncomingMessage } from 'node:http';
import type { TLSSocket } from 'node:tls';
import type { HttpTarget } from '../options.js';
import type { Agents } from './agents.js';
import { isSurelyIn } from './body-pattern.js';
import { TookTooLong } from './failure.js';
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
  /** The body had not come to its end when the time was over. */
  readonly isCut?: true;
  /** When the certificate runs out, in milliseconds since the epoch. */
  readonly validTo?: number;
  /** It sends on to somewhere else, and that was one time too many. */
  readonly tooManyRedirects: boolean;
}

/** What a request is given beside its target. */
export interface RequestFrame extends TimeFrame {
  readonly agents: Agents;
  /** Is told each URL that is asked: the one of the target, then where it sends on to. */
  readonly onAsk?: (url: string) => void;
}

/** How much of a body is read. */
const bodyBytes = 1_048_576;

/** Asks for a URL. Throws what stood in the way of an answer. */
export async function request(target: HttpTarget, frame: RequestFrame): Promise<Answer> {
  return inTime(frame, target.timeout, async (signal) => {
    let { url, headers } = target;
    let latencyMs = 0;
    for (let left = target.redirects; ; left--) {
      frame.onAsk?.(url);
      const { response, tookMs } = await ask(url, { ...target, headers }, { ...frame, signal });
      latencyMs += tookMs;
      const next = locationOf(response, url);
      if (next === undefined || left <= 0) {
        const validTo = validToOf(response);
        const read = target.body === undefined ? {} : await readBody(response, target.body, signal);
        discard(response);
        return {
          url,
          status: response.statusCode ?? 0,
          latencyMs,
          ...read,
          ...(validTo === undefined ? {} : { validTo }),
          tooManyRedirects: next !== undefined && target.redirects > 0,
        };
      }
      discard(response);
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
  { clock, signal, agents }: RequestFrame,
): Promise<{ response: IncomingMessage; tookMs: number }> {
  const { method, headers, insecure } = target;
  const { request, agent } = await agents.for(url);
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const options = { method, headers, agent, rejectUnauthorized: !insecure };
    const begun = clock.monotonic();
    const sent = request(url, options, (response) =>
      resolve({ response, tookMs: clock.monotonic() - begun }),
    );
    // What Node does with a signal of the options costs a check of a thousand servers a fifth of its time.
    signal.addEventListener('abort', () => sent.destroy(signal.reason), { once: true });
    sent.on('error', reject);
    sent.end();
  });
}

/** Has no more of an answer. One that is there already ends by itself, which is cheaper than to break it off. */
function discard(response: IncomingMessage): void {
  if (response.complete) response.resume();
  else response.destroy();
}

/**
 * Reads a body until it ends, or as much as is needed. One that goes on when the time is over, as a stream of events does, was
 * answered all the same: what has come of it counts.
 */
async function readBody(
  response: IncomingMessage,
  wanted: string,
  signal: AbortSignal,
): Promise<Pick<Answer, 'body' | 'isCut'>> {
  const chunks: Buffer[] = [];
  const body = () => Buffer.concat(chunks).toString('utf8');
  let size = 0;
  try {
    for await (const chunk of response) {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= bodyBytes || isSurelyIn(body(), wanted)) break;
    }
  } catch (error) {
    if (!(signal.reason instanceof TookTooLong)) throw error;
    return { body: body(), isCut: true };
  }
  return { body: body() };
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
