import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { createServer, type Server } from 'node:net';
import { systemClock } from '@argusai/core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { programOnPath } from '../../../../tests/support/engine-tools.js';
import { makeCertificate } from '../fixtures/certificate.js';
import { checkWith } from '../fixtures/check-with.js';
import { freePort } from '../fixtures/free-port.js';

async function portOf(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    if ('closeAllConnections' in server)
      (server as ReturnType<typeof createHttpServer>).closeAllConnections();
  });
  return (server.address() as { port: number }).port;
}

const serving = async (listener: RequestListener) =>
  `http://localhost:${await portOf(createHttpServer(listener))}/`;
const answering = (status: number, body = '') =>
  serving((_, response) => response.writeHead(status).end(body));

describe('network.http', () => {
  it.each([200, 301, 404, 500])('takes any answer for a sign of life, also %i', async (status) => {
    const url = await answering(status);
    expect(await checkWith({ http: [url] })).toMatchObject([
      {
        name: 'network.http',
        target: url,
        status: 'pass',
        details: { latencyMs: expect.any(Number) },
        message: expect.stringMatching(new RegExp(`^${url} answered ${status} in [\\d.]+ ms$`)),
      },
    ]);
  });

  it('gives one result for each target, under its name', async () => {
    const url = await answering(204);
    const http = [{ url, name: 'licences' }, { url, name: 'mirror', method: 'HEAD' }, url];
    const checks = await checkWith({ http });
    expect(checks.map(({ target }) => target)).toEqual(['licences', 'mirror', url]);
  });

  it('asks many servers at once without looking to Node like a leak', async () => {
    const warnings: Error[] = [];
    const note = (warning: Error) => void warnings.push(warning);
    process.on('warning', note);
    onTestFinished(() => void process.off('warning', note));
    const url = await answering(204);
    const http = Array.from({ length: 30 }, (_, number) => ({ url, name: `server ${number}` }));
    const checks = await checkWith({ http });
    await new Promise((resolve) => setImmediate(resolve));
    expect(checks.filter(({ status }) => status === 'pass')).toHaveLength(30);
    expect(warnings).toEqual([]);
  });

  it('fails an answer with another status than is expected', async () => {
    const url = await answering(503, 'no');
    const status = ['200-299', 304];
    expect(await checkWith({ http: [{ url, name: 'api', status }] })).toMatchObject([
      {
        status: 'fail',
        target: 'api',
        message: 'api answered 503 instead of 200-299 or 304',
        error: {
          code: 'HTTP_UNEXPECTED',
          suggestedActions: ['preflight-check'],
          details: { reason: 'status', status: 503, expected: '200-299 or 304', url },
        },
      },
    ]);
    expect(await checkWith({ http: [{ url, status: 503 }] })).toMatchObject([{ status: 'pass' }]);
  });

  it('looks for a text or a pattern in the body', async () => {
    const url = await answering(200, '{"state": "Fine"}');
    const bodies = ['"Fine"', '/fine/i', 'fine', '/^fine/'];
    const checks = await checkWith({ http: bodies.map((body) => ({ url, body, name: body })) });
    expect(checks.map(({ status }) => status)).toEqual(['pass', 'pass', 'fail', 'fail']);
    expect(checks[2]?.error).toMatchObject({
      details: { reason: 'body', expected: 'fine', excerpt: '{"state": "Fine"}' },
    });
  });

  it('reads no more of a body than it takes', async () => {
    const url = await serving((_, response) => {
      const more = () => response.write('x'.repeat(65_536), () => response.destroyed || setImmediate(more));
      more();
    });
    expect(await checkWith({ http: [{ url, body: 'needle' }] })).toMatchObject([{ status: 'fail' }]);
  });

  it('judges a body that does not end by what has come of it', async () => {
    const url = await serving((_, response) => void response.writeHead(200).write('data: ready, data: on'));
    const http = [
      { url, name: 'text', body: 'ready', timeout: '20s' },
      { url, name: 'pattern', body: '/ready/', timeout: '300ms' },
      { url, name: 'other', body: 'over', timeout: '300ms' },
    ];
    expect(await checkWith({ http })).toMatchObject([
      { target: 'text', status: 'pass' },
      { target: 'pattern', status: 'pass' },
      {
        target: 'other',
        status: 'fail',
        error: { code: 'HTTP_UNEXPECTED', details: { reason: 'body' } },
        message: 'other answered 200 with a body that does not have over as far as it came within 300ms',
      },
    ]);
  });

  it('names where it was sent on to when nobody answers there', async () => {
    const port = await freePort();
    const to = (location: string) => serving((_, response) => response.writeHead(302, { location }).end());
    const http = [
      { url: await to(`http://127.0.0.1:${port}/`), name: 'closed', redirects: 1 },
      { url: await to('http://nowhere.invalid/'), name: 'lost', redirects: 1 },
    ];
    expect(await checkWith({ http })).toMatchObject([
      { message: `closed: 127.0.0.1:${port} refused the connection`, error: { details: { port } } },
      {
        message: 'lost: the name nowhere.invalid cannot be resolved',
        error: { code: 'DNS_RESOLUTION_FAILED', details: { host: 'nowhere.invalid' } },
      },
    ]);
  });

  it('warns of an answer that took too long', async () => {
    const url = await serving((_, response) => void setTimeout(() => response.end(), 60));
    expect(await checkWith({ http: [{ url, latency: '50ms' }] })).toMatchObject([
      { status: 'warn', error: { code: 'LATENCY_HIGH', details: { limitMs: 50 } } },
    ]);
  });

  it('follows no redirect unless it is told to, and then not for ever, and keeps secrets from others', async () => {
    const seen: (string | undefined)[] = [];
    const last = await serving(({ headers }, response) => {
      seen.push(headers.authorization);
      response.writeHead(418).end();
    });
    const first = await serving(({ url }, response) => {
      const location = url === '/' ? '/next' : url === '/next' ? last : '/round';
      response.writeHead(302, { location }).end();
    });
    const http = [
      { url: first, name: 'not' },
      { url: first, name: 'twice', redirects: 2, status: 418, headers: { authorization: 'secret' } },
      { url: `${first}round`, name: 'round', redirects: 3 },
    ];
    expect(await checkWith({ http })).toMatchObject([
      { target: 'not', status: 'pass', message: expect.stringContaining('answered 302') },
      { target: 'twice', status: 'pass' },
      { target: 'round', status: 'fail', error: { details: { reason: 'redirects', status: 302 } } },
    ]);
    expect(seen).toEqual([undefined]);
  });

  it('tells refused, unanswered and unknown apart', async () => {
    const [refused, silent] = [await freePort(), await portOf(createServer(() => undefined))];
    const http = [
      `http://127.0.0.1:${refused}/`,
      { url: `http://127.0.0.1:${silent}/`, timeout: '80ms' },
      { url: 'http://no-such-host.invalid/', timeout: '2s' },
    ];
    expect(await checkWith({ http })).toMatchObject([
      {
        status: 'fail',
        message: `http://127.0.0.1:${refused}/ refused the connection`,
        error: {
          code: 'NETWORK_UNREACHABLE',
          suggestedActions: ['preflight-check'],
          details: { source: 'this machine', host: '127.0.0.1', port: refused, reason: 'refused' },
        },
      },
      {
        status: 'fail',
        message: `http://127.0.0.1:${silent}/ gave no answer within 80ms`,
        error: { code: 'NETWORK_UNREACHABLE', details: { reason: 'timed-out' } },
      },
      {
        status: 'fail',
        message: expect.stringContaining('the name no-such-host.invalid'),
        error: { code: 'DNS_RESOLUTION_FAILED', details: { host: 'no-such-host.invalid', network: null } },
      },
    ]);
  });

  it('notices who does not speak HTTP, or hangs up', async () => {
    const ssh = await portOf(createServer((socket) => socket.end('SSH-2.0-x\r\n')));
    const rude = await portOf(createServer((socket) => socket.destroy()));
    const http = [`http://127.0.0.1:${ssh}/`, `https://127.0.0.1:${ssh}/`, `http://127.0.0.1:${rude}/`];
    expect(await checkWith({ http })).toMatchObject([
      { error: { code: 'HTTP_UNEXPECTED', details: { reason: 'not-http', expected: 'HTTP' } } },
      { error: { code: 'HTTP_UNEXPECTED', details: { reason: 'not-http', expected: 'HTTP over TLS' } } },
      { error: { code: 'NETWORK_UNREACHABLE', details: { reason: 'failed', systemCode: 'ECONNRESET' } } },
    ]);
  });

  it('uses no proxy of the surroundings', async () => {
    const url = await answering(200);
    process.env.HTTP_PROXY = process.env.http_proxy = 'http://127.0.0.1:1';
    onTestFinished(() => {
      delete process.env.HTTP_PROXY;
      delete process.env.http_proxy;
    });
    expect(await checkWith({ http: [url] })).toMatchObject([{ status: 'pass' }]);
  });

  it('shows no password of a URL', async () => {
    const url = (await answering(200)).replace('//', '//me:hidden@');
    const checks = await checkWith({ http: [url] });
    expect(JSON.stringify(checks)).not.toContain('hidden');
    expect(checks).toMatchObject([{ status: 'pass', target: url.replace('me:hidden@', '') }]);
  });
});

describe.runIf(programOnPath('openssl'))('network.http over TLS', () => {
  const secured = async (days: number) => {
    const server = createHttpsServer(await makeCertificate(days), (_, response) => response.end('ok'));
    return `https://localhost:${await portOf(server)}/`;
  };

  it('trusts no certificate that nobody vouches for, unless it is told to', async () => {
    const url = await secured(90);
    expect(await checkWith({ http: [{ url, name: 'api' }] })).toMatchObject([
      {
        status: 'fail',
        message: 'api: the certificate is not trusted here (DEPTH_ZERO_SELF_SIGNED_CERT)',
        error: { code: 'TLS_CERTIFICATE_INVALID', details: { reason: 'untrusted', url } },
      },
    ]);
    expect(await checkWith({ http: [{ url, insecure: true, body: 'ok' }] })).toMatchObject([
      { status: 'pass' },
    ]);
  });

  it('warns of a certificate that runs out soon, and fails one that has', async () => {
    const url = await secured(20);
    const http = [14, 30].map((certificateDays) => {
      return { url, insecure: true, certificateDays, name: `${certificateDays} days` };
    });
    const [enough, soon] = await checkWith({ http });
    expect(enough).toMatchObject({ status: 'pass' });
    expect(soon).toMatchObject({
      status: 'warn',
      error: {
        code: 'TLS_CERTIFICATE_EXPIRING',
        severity: 'warning',
        details: { daysLeft: 19, requiredDays: 30, validTo: expect.any(Number) },
      },
    });
    const later = { ...systemClock, now: () => Date.now() + 21 * 86_400_000 };
    expect((await checkWith({ http }, later))[0]).toMatchObject({
      status: 'fail',
      message: expect.stringMatching(/^14 days: the certificate ran out on \d{4}-\d\d-\d\d$/),
      error: { severity: 'recoverable', details: { daysLeft: -2 } },
    });
  });
});
