import { execFile } from 'node:child_process';
import { createServer, request } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, it, onTestFinished } from 'vitest';
import { called, confirmed, program, serverEnv } from '../fixtures/clients.js';
import { inProcess } from '../fixtures/in-process.js';
import { processProject } from '../fixtures/projects.js';
import { until } from '../fixtures/until.js';
import { isLoopback, overHttp } from './over-http.js';

const token = 'open sesame';
const authorization = `Bearer ${token}`;

const folder = fileURLToPath(new URL('../..', import.meta.url));

/** The way of a client that knows the token. */
const transportTo = (url: string) =>
  new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: { authorization } } });

/** A client whose person agrees to nothing, of a server over HTTP. */
async function connected(cwd: string, mode: 'auto' | 'legacy') {
  const { url } = await serve(cwd);
  const client = new Client(
    { name: 'test', version: '1' },
    { capabilities: { elicitation: {} }, versionNegotiation: { mode } },
  );
  client.setRequestHandler('elicitation/create', async () => ({ action: 'decline' }) as never);
  await client.connect(transportTo(url));
  onTestFinished(() => client.close());
  return { url, client };
}

async function serve(folder?: string, host = '127.0.0.1') {
  const cwd = folder ?? (await processProject());
  const { serving } = await inProcess(cwd);
  const { url, close } = await overHttp(serving, { host, port: 0, token });
  onTestFinished(close);
  return { cwd, url };
}

/** An address at which the token is added to every request, for a client that cannot be told one. */
async function knowing({ url }: { url: string }): Promise<string> {
  const proxy = createServer((incoming, response) => {
    const { method = 'GET', headers } = incoming;
    const passed = request(url, { method, headers: { ...headers, authorization } }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    passed.once('error', () => response.destroy());
    response.once('close', () => passed.destroy());
    incoming.pipe(passed);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  return `http://127.0.0.1:${(proxy.address() as { port: number }).port}/mcp`;
}

/** The status of a request with these headers. */
function statusOf(url: string, headers: Record<string, string>, path?: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
    const options = {
      method: 'POST',
      ...(path === undefined ? {} : { path }),
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        authorization,
        ...headers,
      },
    };
    request(url, options, (response) => resolve(response.resume().statusCode))
      .once('error', reject)
      .end(body);
  });
}

describe('the server over HTTP', () => {
  it.each(['auto', 'legacy'] as const)('answers a client in the era %s', async (mode) => {
    const { url } = await serve();
    const client = new Client(
      { name: 'test', version: '1' },
      { capabilities: {}, versionNegotiation: { mode } },
    );
    await client.connect(transportTo(url));
    onTestFinished(() => client.close());
    expect((await client.listTools()).tools.length).toBeGreaterThan(20);
    const steps: (string | undefined)[] = [];
    const call = async (name: string, args = {}) =>
      called(
        (await client.callTool(
          { name, arguments: args },
          { onprogress: ({ message }) => void steps.push(message) },
        )) as never,
      );
    expect(await call('argus_setup')).toMatchObject({ ok: true });
    expect(steps).toContain('setup: start');
    expect(await confirmed(call, 'argus_clean')).toMatchObject({
      data: { removed: [{ name: 'api' }] },
    });
  });

  it.each(['auto', 'legacy'] as const)(
    'stops what a client of the era %s takes back, and asks its person',
    async (mode) => {
      const { url, client } = await connected(await processProject({ isSlow: true }), mode);
      const call = async (name: string, args = {}, options = {}) =>
        called((await client.callTool({ name, arguments: args }, options)) as never);
      const stop = new AbortController();
      let isWaiting = false;
      const onprogress = ({ message = '' }) => {
        isWaiting ||= message.startsWith('api waiting');
      };
      const ended = expect(call('argus_setup', {}, { signal: stop.signal, onprogress })).rejects.toThrow();
      await until('the service waits for its health', () => isWaiting);
      expect(await call('argus_status')).toMatchObject({ data: { run: { state: 'starting' } } });
      stop.abort();
      await ended;
      await until('nothing is left', async () => {
        const { data } = await call('argus_status');
        return (data as { run: unknown }).run === null;
      });
      expect(await call('argus_clean')).toMatchObject({
        ok: false,
        error: { code: 'CONFIRMATION_REQUIRED', details: { declined: true } },
      });
      expect(await statusOf(url, { 'mcp-session-id': 'of nobody' })).toBe(404);
    },
  );

  it('answers nobody who comes by another name or from another page', async () => {
    const { url } = await serve();
    expect(await statusOf(url, {})).toBe(200);
    expect(await statusOf(url, { host: 'evil.example' })).toBe(403);
    expect(await statusOf(url, { origin: 'https://evil.example' })).toBe(403);
    expect(await statusOf(url, { origin: 'http://localhost:3000' })).toBe(200);
    expect(await statusOf(url, {}, '/else')).toBe(404);
    // The target of a request can be anything, also what is no address.
    expect(await statusOf(url, {}, '//:')).toBe(404);
  });

  // Other systems have one address of this kind, unless somebody adds more.
  it.runIf(process.platform === 'linux')('answers at the address that it says, whichever it is', async () => {
    const { url } = await serve(undefined, '127.0.0.2');
    expect(url).toMatch(/^http:\/\/127\.0\.0\.2:\d+\/mcp$/);
    expect(await statusOf(url, {})).toBe(200);
    expect(await statusOf(url, { origin: url.replace('/mcp', '') })).toBe(200);
    expect(await statusOf(url, { host: '127.0.0.3' })).toBe(403);
  });

  it.each([
    ['--port', '99999'],
    ['--port', '70.5'],
    ['--host', '192.0.2.1', '--port', '0'],
  ])('takes %s %s for wrong usage', async (...args) => {
    const env = serverEnv({ ARGUS_MCP_TOKEN: 'open sesame' });
    const started = promisify(execFile)(process.execPath, [program, '--http', ...args], {
      cwd: folder,
      env,
    });
    await expect(started).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining('code: USAGE_INVALID\nnext: '),
    });
  });

  it('always wants the token, and a given one where others can come', async () => {
    const { url, cwd } = await serve();
    for (const wrong of ['', 'Bearer open', 'Bearer open sesame!', 'Basic open sesame'])
      expect(await statusOf(url, { authorization: wrong }), wrong).toBe(401);
    expect(await statusOf(url, {})).toBe(200);
    expect(['localhost', '127.0.0.1', '127.9.9.9', '::1'].every(isLoopback)).toBe(true);
    expect(['0.0.0.0', '::', '192.168.0.1', '127.evil.example'].some(isLoopback)).toBe(false);
    const started = promisify(execFile)(process.execPath, [program, '--host', '0.0.0.0', '--port', '0'], {
      cwd,
      env: serverEnv(),
    });
    await expect(started).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining('ARGUS_MCP_TOKEN'),
    });
  });

  it('passes the conformance suite, but for what it has reasons not to have', async () => {
    const url = await knowing(await serve());
    const conformance = join(folder, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
    const args = [conformance, 'server', '--url', url, '--expected-failures', 'conformance-baseline.yml'];
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder, maxBuffer: 1e8 });
    expect(stdout).toMatch(/✓ dns-rebinding-protection: 2 passed/);
  });
});
