// Answers the routes of one mock. Called with the path of a JSON file that says what to answer, where to listen, and
// where to write that it listens or why it cannot. Each request is one line of output.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { findRoute, pathOf, render } from './mock-routes.mjs';
import { replaceFile } from './own-file.mjs';

/**
 * @typedef {object} Place Where to listen.
 * @property {string} host
 * @property {number} port
 * @property {'always' | 'if-there' | 'if-free'} needed Without it the mock is of no use: in any case, where this machine has that
 *   address, or not even when the port is taken.
 *
 * @typedef {object} MockSettings
 * @property {string} name
 * @property {import('./mock-routes.mjs').Route[]} routes
 * @property {Place[]} places
 * @property {string} readyFile
 * @property {string} healthPath What is asked to see that it answers.
 *
 * @typedef {{ host: string, port: number }} Spot
 * @typedef {{ listening: Spot[], taken: Spot[] }} MockReady Where the mock listens, and where others do.
 * @typedef {{ failure: Spot & { code: string, message: string } }} MockFailure Why it cannot.
 */

/** @type {MockSettings} */
const settings = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'));
/** @type {Set<import('node:http').Server>} */
const servers = new Set();

process.on('SIGTERM', () => {
  for (const server of servers) {
    server.close();
    server.closeAllConnections();
  }
});
void open();

async function open() {
  /** @type {Spot[]} */
  const listening = [];
  /** @type {Spot[]} */
  const taken = [];
  for (const { host, port, needed } of settings.places) {
    const error = await listen({ host, port });
    if (error === undefined) {
      listening.push({ host, port });
      continue;
    }
    const isThere = error.code !== 'EADDRNOTAVAIL';
    if (needed === 'always' || (needed === 'if-there' && isThere)) return giveUp({ host, port }, error);
    if (error.code === 'EADDRINUSE') taken.push({ host, port });
    console.error(`${settings.name} does not listen on ${host}: ${error.message}`);
  }
  const addresses = listening.map(({ host, port }) =>
    host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`,
  );
  const routes = settings.routes.length === 1 ? '1 route' : `${settings.routes.length} routes`;
  console.log(`${settings.name} answers ${routes} on ${addresses.join(', ')}`);
  tell({ listening, taken });
}

/**
 * @param {Spot} spot
 * @returns {Promise<NodeJS.ErrnoException | undefined>} Why it cannot.
 */
async function listen({ host, port }) {
  const server = createServer((request, response) => void answer(request, response));
  const failure = await /** @type {Promise<NodeJS.ErrnoException | undefined>} */ (
    new Promise((resolve) => {
      server.once('error', resolve);
      server.listen({ host, port, exclusive: true }, () => resolve(undefined));
    })
  );
  if (failure === undefined) servers.add(server);
  return failure;
}

/**
 * @param {import('node:http').IncomingMessage} request
 * @param {import('node:http').ServerResponse} response
 */
async function answer(request, response) {
  const { method = 'GET', url = '/' } = request;
  request.resume();
  // Asked over and over, so it is no line of output.
  if (pathOf(url) === settings.healthPath) return void response.end();
  const route = findRoute(settings.routes, method, pathOf(url));
  const reply = route?.response ?? unknown(method, url);
  if (reply.delay > 0) await new Promise((resolve) => setTimeout(resolve, reply.delay));
  try {
    const { body, headers } = render(reply);
    const length = reply.status === 204 || reply.status === 304 ? {} : { 'content-length': body.length };
    response.writeHead(reply.status, { ...length, ...headers });
    response.end(method === 'HEAD' ? undefined : body);
    console.log(`${method} ${url} → ${reply.status}`);
  } catch (error) {
    // A header or a status that HTTP does not know: the request fails, the mock goes on.
    console.error(`${method} ${url} cannot be answered: ${error instanceof Error ? error.message : error}`);
    response.destroy();
  }
}

/**
 * @param {string} method
 * @param {string} url
 * @returns {import('./mock-routes.mjs').Answer}
 */
function unknown(method, url) {
  const routes = settings.routes.map((route) => `${route.method} ${route.path}`);
  const body = { error: `The mock ${settings.name} has no route for ${method} ${pathOf(url)}`, routes };
  return { status: 404, headers: {}, body, delay: 0 };
}

/**
 * @param {Spot} spot
 * @param {NodeJS.ErrnoException} error
 */
function giveUp({ host, port }, { code = 'UNKNOWN', message }) {
  console.error(`${settings.name} cannot listen: ${message}`);
  tell({ failure: { code, message, host, port } });
  process.exit(1);
}

/** @param {MockReady | MockFailure} news */
function tell(news) {
  replaceFile(settings.readyFile, JSON.stringify(news));
}
