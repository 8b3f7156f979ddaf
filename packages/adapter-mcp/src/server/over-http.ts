import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { hostname, networkInterfaces } from 'node:os';
import { hostHeaderValidation, originValidation, toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, isLegacyRequest } from '@modelcontextprotocol/server';
import type { Session } from '../session/session.js';
import { buildServer } from './build-server.js';
import { olderSessions } from './older-sessions.js';

/** Where to listen, and what whoever comes must know. */
export interface HttpOptions {
  readonly host: string;
  readonly port: number;
  readonly token?: string | undefined;
}

const loopback = ['localhost', '127.0.0.1', '[::1]'];
const path = '/mcp';

/** Whether an address can be reached from this machine only. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);
}

/** Serves over HTTP. Resolves when it listens, with the way to end it. */
export async function overHttp(
  session: Session,
  { host, port, token }: HttpOptions,
): Promise<{ url: string; close(): Promise<void> }> {
  const { log } = session.surroundings;
  const build = () => buildServer(session);
  const onerror = ({ message }: Error) => log(message);
  const handler = createMcpHandler(build, { legacy: 'reject', onerror });
  const older = olderSessions(build, onerror);
  const serve = toNodeHandler({
    fetch: async (request, options) =>
      (await isLegacyRequest(request)) ? older.fetch(request) : handler.fetch(request, options),
  });
  const names = [...loopback, ...(isLoopback(host) ? [host] : ownNames(host))];
  // The handler itself looks at neither: without this a web page could talk to it through the browser of whoever opened it.
  const guards = [hostHeaderValidation(names), originValidation(names), requireToken(token)];
  const server = createServer((request, response) => {
    if (!guards.every((guard) => guard(request, response))) return;
    if (pathOf(request.url) === path) void serve(request as Parameters<typeof serve>[0], response);
    else response.writeHead(404).end();
  });
  await listen(server, host, port);
  const { port: actual } = server.address() as { port: number };
  const close = async () => {
    await Promise.all([handler.close(), older.close()]);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { url: `http://${host.includes(':') ? `[${host}]` : host}:${actual}${path}`, close };
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

/** Refuses whoever does not know the token. Without one everybody may come who can reach the address. */
function requireToken(token: string | undefined): Guard {
  if (token === undefined || token === '') return () => true;
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
