import { stat } from 'node:fs/promises';
import * as z from 'zod';
import { type Patience, within } from './within.js';

/** What became of the search for an engine on this machine. */
export type LocalEngine =
  | { readonly kind: 'none' }
  | { readonly kind: 'found'; readonly rootDir: string }
  | { readonly kind: 'silent'; readonly socket: string; readonly reason: string }
  | { readonly kind: 'held-back'; readonly socket: string };

/** Whether an engine may be asked at all just now. */
export type MayAsk = (signal: AbortSignal) => Promise<boolean>;

// Nobody listens there, or not to this user: there is no engine that this user could fill a disk with.
const notUsable = new Set(['ENOENT', 'ENOTDIR', 'ECONNREFUSED', 'EACCES', 'EPERM', 'ENOTSOCK', 'EPROTOTYPE']);

const info = z.lazy(() => z.object({ DockerRootDir: z.string().min(1) }));

/**
 * Asks the first engine that listens for the folder in which it keeps its images and volumes. Over its socket: this plugin does
 * without plugin-docker, and a start of the client would take longer than the rest of the check.
 */
export async function findLocalEngine(
  sockets: readonly string[],
  patience: Patience,
  mayAsk: MayAsk = async () => true,
): Promise<LocalEngine> {
  for (const socket of sockets) {
    const engine = await askEngine(socket, patience, mayAsk);
    if (engine.kind !== 'none') return engine;
  }
  return { kind: 'none' };
}

async function askEngine(socket: string, patience: Patience, mayAsk: MayAsk): Promise<LocalEngine> {
  try {
    // Seldom there; looking first saves loading the HTTP client for nothing.
    if (!(await stat(socket)).isSocket()) return { kind: 'none' };
    const answered = await within(patience, async (signal) => {
      return (await mayAsk(signal)) ? getInfo(socket, signal) : undefined;
    });
    if (!answered) return { kind: 'held-back', socket };
    const { status, body } = answered;
    if (status === 401 || status === 403) return { kind: 'none' };
    const answer = status === 200 ? info.safeParse(parse(body)) : undefined;
    if (answer?.success) return { kind: 'found', rootDir: answer.data.DockerRootDir };
    return { kind: 'silent', socket, reason: `it gave no information about itself (HTTP ${status})` };
  } catch (error) {
    patience.signal.throwIfAborted();
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== undefined && notUsable.has(code)) return { kind: 'none' };
    return { kind: 'silent', socket, reason: message };
  }
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    // Not JSON is as good as nothing: the caller says that there was no information.
    return undefined;
  }
}

async function getInfo(socketPath: string, signal: AbortSignal): Promise<{ status: number; body: string }> {
  const { request } = await import('node:http');
  return new Promise((resolve, reject) => {
    // Without a name Node finds out whether it is an address, with an expression that takes milliseconds to make.
    const options = { socketPath, path: '/info', agent: false, signal, servername: '' };
    const asked = request(options, (response) => {
      let body = '';
      response.setEncoding('utf8');
      response.on('data', (part: string) => {
        body += part;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body }));
      response.on('error', reject);
    });
    asked.on('error', reject);
    asked.end();
  });
}
