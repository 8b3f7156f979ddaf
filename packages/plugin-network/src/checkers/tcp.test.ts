import { createServer } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { checkWith } from '../fixtures/check-with.js';
import { deafPort } from '../fixtures/deaf-port.js';
import { freePort } from '../fixtures/free-port.js';

async function listening(host: string): Promise<number> {
  const server = createServer((socket) => socket.resume());
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  onTestFinished(() => void server.close());
  return (server.address() as { port: number }).port;
}

describe('network.tcp', () => {
  it('passes for a port that accepts, by name and by address', async () => {
    const port = await listening('127.0.0.1');
    expect(
      await checkWith({ tcp: [`localhost:${port}`, { address: `127.0.0.1:${port}`, name: 'db' }] }),
    ).toMatchObject([
      { name: 'network.tcp', target: `localhost:${port}`, status: 'pass' },
      {
        target: 'db',
        status: 'pass',
        message: expect.stringMatching(/^db accepts connections in [\d.]+ ms$/),
      },
    ]);
  });

  it('tells refused, unanswered and unknown apart', async () => {
    const [refused, deaf] = [await freePort(), await deafPort()];
    const tcp = [
      { address: `127.0.0.1:${refused}`, name: 'db' },
      { address: `127.0.0.1:${deaf}`, timeout: '200ms' },
      'no-such-host.invalid:5432',
    ];
    expect(await checkWith({ tcp })).toMatchObject([
      {
        status: 'fail',
        message: `db: 127.0.0.1:${refused} refused the connection`,
        error: {
          code: 'NETWORK_UNREACHABLE',
          category: 'network',
          details: {
            source: 'this machine',
            target: 'db',
            host: '127.0.0.1',
            port: refused,
            reason: 'refused',
            systemCode: 'ECONNREFUSED',
          },
        },
      },
      {
        status: 'fail',
        message: `127.0.0.1:${deaf} gave no answer within 200ms`,
        error: { code: 'NETWORK_UNREACHABLE', details: { port: deaf, reason: 'timed-out' } },
      },
      { status: 'fail', error: { code: 'DNS_RESOLUTION_FAILED', details: { host: 'no-such-host.invalid' } } },
    ]);
  });

  it('warns of a connection that takes too long', async () => {
    const port = await listening('127.0.0.1');
    expect(await checkWith({ tcp: [{ address: `127.0.0.1:${port}`, latency: 0 }] })).toMatchObject([
      { status: 'warn', error: { code: 'LATENCY_HIGH', details: { limitMs: 0 } } },
    ]);
  });
});
