import { once } from 'node:events';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { cleanUpMemory } from '../../time/fixtures/clean-up-memory.js';
import { describeCheck, probeHttp, probeTcp } from './probe.js';

const { signal } = new AbortController();

async function listening(server: Server, host?: string): Promise<number> {
  server.listen(0, host);
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

const serving = (listener: RequestListener) => listening(createHttpServer(listener), '127.0.0.1');

/** A port on which nobody listens. */
async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

describe('an HTTP health check', () => {
  it.each([200, 204, 301])('is passed by an answer of %i', async (status) => {
    const port = await serving((_, response) => response.writeHead(status).end());
    const url = `http://127.0.0.1:${port}/health`;
    expect(await probeHttp(url, 5_000, signal)).toEqual({
      healthy: true,
      output: `GET ${url} answered ${status}`,
    });
  });

  it.each([400, 404, 503])('is failed by an answer of %i', async (status) => {
    const port = await serving((_, response) => response.writeHead(status).end());
    const { healthy, output } = await probeHttp(`http://127.0.0.1:${port}/`, 5_000, signal);
    expect({ healthy, output }).toEqual({
      healthy: false,
      output: expect.stringMatching(new RegExp(`answered ${status}$`)),
    });
  });

  it('is failed when nobody listens', async () => {
    const { healthy, output } = await probeHttp(`http://127.0.0.1:${await freePort()}/`, 5_000, signal);
    expect({ healthy, output }).toEqual({ healthy: false, output: expect.stringContaining('ECONNREFUSED') });
  });

  it('is failed by silence also when memory is cleaned up meanwhile', async () => {
    cleanUpMemory();
    const port = await serving(() => undefined);
    const { output } = await probeHttp(`http://127.0.0.1:${port}/`, 300, signal);
    expect(output).toMatch(/gave no answer within 300 ms$/);
  });

  it('is failed by silence', async () => {
    const port = await serving(() => undefined);
    const { healthy, output } = await probeHttp(`http://127.0.0.1:${port}/`, 50, signal);
    expect({ healthy, output }).toEqual({
      healthy: false,
      output: expect.stringMatching(/gave no answer within 50 ms$/),
    });
  });

  it('is failed by something that does not speak HTTP', async () => {
    const port = await listening(
      createServer((socket) => socket.end('SSH-2.0-x\r\n')),
      '127.0.0.1',
    );
    expect(await probeHttp(`http://127.0.0.1:${port}/`, 5_000, signal)).toMatchObject({ healthy: false });
  });

  it('speaks TLS when the URL says so', async () => {
    const port = await serving((_, response) => response.end());
    const { healthy, output } = await probeHttp(`https://127.0.0.1:${port}/`, 5_000, signal);
    expect({ healthy, output }).toEqual({ healthy: false, output: expect.stringMatching(/SSL|EPROTO/) });
  });

  it('ends when it is cancelled', async () => {
    const port = await serving(() => undefined);
    const stop = new AbortController();
    const probing = probeHttp(`http://127.0.0.1:${port}/`, 60_000, stop.signal);
    stop.abort(new Error('enough'));
    // Nothing was measured, so there is nothing to say of the service.
    await expect(probing).rejects.toThrow('enough');
  });
});

describe('a TCP health check', () => {
  it('is passed by a port that accepts', async () => {
    const port = await listening(createServer(), '127.0.0.1');
    expect(await probeTcp('127.0.0.1', port, 5_000, signal)).toEqual({
      healthy: true,
      output: `connecting to 127.0.0.1:${port} succeeded`,
    });
  });

  it('finds a server on whichever local address it listens', async () => {
    const port = await listening(createServer(), 'localhost');
    expect(await probeTcp('localhost', port, 5_000, signal)).toMatchObject({ healthy: true });
  });

  it('that is relayed must last, or bring something', async () => {
    const relayed = async (greet: (socket: Socket) => void) => {
      const port = await listening(createServer(greet), '127.0.0.1');
      return probeTcp('127.0.0.1', port, 5_000, signal, { relayed: true });
    };
    const hangsUp = await relayed((socket) => socket.end());
    expect(hangsUp).toMatchObject({ healthy: false, output: expect.stringContaining('was ended at once') });
    expect(await relayed((socket) => socket.end('220 hello'))).toMatchObject({ healthy: true });
    const open: Socket[] = [];
    expect(await relayed((socket) => void open.push(socket))).toMatchObject({ healthy: true });
    for (const socket of open) socket.destroy();
  });

  it('takes an address in brackets', async () => {
    expect((await probeTcp('[127.0.0.1]', await freePort(), 5_000, signal)).output).toContain('ECONNREFUSED');
  });

  it('is failed when nobody listens', async () => {
    const { healthy, output } = await probeTcp('127.0.0.1', await freePort(), 5_000, signal);
    expect({ healthy, output }).toEqual({ healthy: false, output: expect.stringContaining('ECONNREFUSED') });
  });

  it('ends when it is cancelled', async () => {
    const port = await listening(createServer(), '127.0.0.1');
    const stopped = AbortSignal.abort(new Error('enough'));
    await expect(probeTcp('127.0.0.1', port, 5_000, stopped)).rejects.toThrow('enough');
  });

  it('ends when it is cancelled while it waits whether a relayed connection lasts', async () => {
    const stop = new AbortController();
    const open: Socket[] = [];
    const port = await listening(
      createServer((socket) => {
        open.push(socket);
        stop.abort(new Error('enough'));
      }),
      '127.0.0.1',
    );
    onTestFinished(() => {
      for (const socket of open) socket.destroy();
    });
    const probing = probeTcp('127.0.0.1', port, 5_000, stop.signal, { relayed: true });
    await expect(probing).rejects.toThrow('enough');
  });
});

it('describes a health check in a few words', () => {
  const times = { interval: 1, timeout: 1, retries: 1, startPeriod: 1 };
  expect(describeCheck({ ...times, http: '/health' })).toBe('GET /health');
  expect(describeCheck({ ...times, tcp: 80 })).toBe('a connection to port 80');
  expect(describeCheck({ ...times, command: ['pg_isready', '-q'] })).toBe('pg_isready -q');
  expect(describeCheck({ ...times, command: 'pg_isready' })).toBe('pg_isready');
});
