import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { hostname, networkInterfaces } from 'node:os';
import { hostHeaderValidation, originValidation, toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, isLegacyRequest } from '@modelcontextprotocol/server';
import { buildServer } from './build-server.js';
import type { Serving } from './offer.js';
import { olderSessions } from './older-sessions.js';
import { listenAtSocket } from './socket-file.js';

/** Where to listen, and what whoever comes must know. */
export interface HttpOptions {
  readonly host: string;
  readonly port: number;
  readonly token: string;
}

/** Where it is served, and the way to end it. */
export interface Listening {
  readonly url: string;
  close(): Promise<void>;
}

const loopback = ['localhost', '127.0.0.1', '[::1]'];
const path = '/mcp';

/** Whether an address can be reached from this machine only. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);
}

/** Serves over HTTP whoever knows the token. Resolves when it listens. */
export async function overHttp(serving: Serving, { host, port, token }: HttpOptions): Promise<Listening> {
  const names = [...loopback, ...(isLoopback(host) ? [host] : ownNames(host))];
  const { server, close } = httpServer(serving, names, requireToken(token));
  await listen(server, host, port);
  const { port: actual } = server.address() as { port: number };
  return { url: `http://${host.includes(':') ? `[${host}]` : host}:${actual}${path}`, close };
}

/** Serves over a socket that only this user may open, so nobody needs a token. What it remembers about the socket goes to `records`. */
export async function overSocket(serving: Serving, socket: string, records: string): Promise<Listening> {
  const { server, close } = httpServer(serving, loopback, () => true);
  const forget = await listenAtSocket(server, socket, records);
  return {
    url: `unix:${socket}:${path}`,
    async close() {
      await close();
      forget();
    },
  };
}

/** A server that does not listen yet, for requests that name it by one of these names and pass the guard. */
function httpServer(
  serving: Serving,
  names: string[],
  isKnown: Guard,
): { server: Server; close(): Promise<void> } {
  const build = () => buildServer(serving);
  const onerror = ({ message }: Error) => serving.log(message);
  const handler = createMcpHandler(build, { legacy: 'reject', onerror });
  const older = olderSessions(build, onerror);
  const serve = toNodeHandler({
    fetch: async (request, options) =>
      (await isLegacyRequest(request)) ? older.fetch(request) : handler.fetch(request, options),
  });
  // The handler itself looks at neither: without this a web page could talk to it through the browser of whoever opened it.
  const guards = [hostHeaderValidation(names), originValidation(names), isKnown];
  const server = createServer((request, response) => {
    if (!guards.every((guard) => guard(request, response))) return;
    if (pathOf(request.url) === path) void serve(request as Parameters<typeof serve>[0], response);
    else response.writeHead(404).end();
  });
  const close = async () => {
    await Promise.all([handler.close(), older.close()]);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { server, close };
}

/** The path that is asked for; nothing where the target of the request is no address at all. */
function pathOf(target = '/'): string | undefined {
  const base = 'http://any';
  return URL.canParse(target, base) ? new URL(target, base).pathname : undefined;
}

/** The names under which others can reach this machine. */
function ownNames(host: string): string[] {
  const addresses = Object.values(networkInterfaces()).flatMap((all) => all ?? []);
  const shown = addresses.map(({ address, family }) => (family === 'IPv6' ? `[${address}]` : address));
  return [host, hostname(), ...shown];
}

type Guard = (request: IncomingMessage, response: ServerResponse) => boolean;

/** Refuses whoever does not know the token: every user of this machine can reach a port of it. */
function requireToken(token: string): Guard {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  const wanted = digest(token);
  return ({ headers }, response) => {
    const given = /^Bearer (.+)$/i.exec(headers.authorization ?? '')?.[1] ?? '';
    if (timingSafeEqual(digest(given), wanted)) return true;
    response.writeHead(401, { 'WWW-Authenticate': 'Bearer realm="argus"' }).end();
    return false;
  };
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
}
