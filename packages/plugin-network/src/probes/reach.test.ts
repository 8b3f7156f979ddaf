import { createServer, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { deafPort } from '../fixtures/deaf-port.js';
import { freePort } from '../fixtures/free-port.js';
import { hostsIn, serversIn } from './beside.js';
import { probeFromHere } from './from-here.js';
import { combined, isFine, type Seen } from './probe.js';
import { reach } from './reach.js';

async function listening(answer: (socket: Socket) => void): Promise<number> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return (server.address() as { port: number }).port;
}

const timeoutMs = 5_000;

describe('reaching', () => {
  it('tells an open port from one that refuses, by name and by address', async () => {
    const [open, shut] = [await listening((socket) => socket.resume()), await freePort()];
    const seen = await reach({
      ...{ timeoutMs, holdMs: 0 },
      attempts: ['localhost', '127.0.0.1'].map((host) => ({ host, ports: [open, shut] })),
    });
    const expected = {
      name: { status: 'resolved' },
      ports: [
        { port: open, status: 'open', latencyMs: expect.any(Number) },
        { port: shut, status: 'refused' },
      ],
    };
    expect(seen).toMatchObject([expected, expected]);
  });

  it('does not take a proxy that hangs up for the server behind it', async () => {
    const ports = [
      await listening((socket) => socket.end()),
      await listening((socket) => socket.resetAndDestroy()),
      await listening((socket) => socket.resume()),
      await listening((socket) => socket.end('220 hello')),
    ];
    const [seen] = (await probeFromHere(timeoutMs)([{ host: 'localhost', ports }], signal)) ?? [];
    expect(seen?.ports.map(({ status }) => status)).toEqual(['refused', 'refused', 'open', 'open']);
  });

  it('looks names up in a hosts file and at a name server that it is given', async () => {
    const names = { hosts: { pay: '127.0.0.1' }, servers: ['127.0.0.1:1'] };
    const port = await listening((socket) => socket.resume());
    const attempts = ['pay', 'db'].map((host) => ({ host, ports: [port] }));
    expect(await reach({ attempts, timeoutMs, holdMs: 0, names })).toMatchObject([
      { name: { status: 'resolved', addresses: ['127.0.0.1'] }, ports: [{ status: 'open' }] },
      // Nobody answers there, so nothing is known about the name.
      { name: { status: 'unclear' }, ports: [{ port, status: 'unclear', latencyMs: null }] },
    ]);
  });

  it('gives up a connection that is not answered', async () => {
    const port = await deafPort();
    const [seen] = await reach({
      attempts: [{ host: '127.0.0.1', ports: [port] }],
      timeoutMs: 300,
      holdMs: 0,
    });
    expect(seen?.ports[0]?.status).toBe('timed-out');
  });

  it('does not begin when it was told to stop', () => {
    const stopped = AbortSignal.abort(new Error('enough'));
    expect(() => probeFromHere(timeoutMs)([], stopped)).toThrow('enough');
  });
});

const { signal } = new AbortController();

describe('two looks at the same', () => {
  const seen = (name: Seen['name']['status'], ...ports: Seen['ports'][number]['status'][]): Seen => ({
    name: { status: name, latencyMs: 1, addresses: [] },
    ports: ports.map((status, index) => ({ port: index, status, latencyMs: 1 })),
  });

  it('believe whoever has seen it open', () => {
    expect(combined(seen('not-found', 'refused'), seen('resolved', 'open'))).toEqual(
      seen('resolved', 'open'),
    );
    expect(combined(seen('resolved', 'open'), seen('not-found', 'refused'))).toEqual(
      seen('resolved', 'open'),
    );
    expect(combined(seen('unclear', 'unclear'), seen('not-found', 'refused'))).toEqual(
      seen('not-found', 'refused'),
    );
    expect(combined(seen('resolved', 'refused'), seen('unclear'))).toEqual(seen('resolved', 'refused'));
  });

  it('are not needed when all is well', () => {
    expect(isFine(seen('resolved', 'open'))).toBe(true);
    expect(isFine(seen('unclear', 'open'))).toBe(true);
    expect(isFine(seen('resolved', 'open', 'refused'))).toBe(false);
    expect(isFine(seen('resolved'))).toBe(false);
  });
});

describe('the files by which a container finds names', () => {
  it('are read as the system reads them', () => {
    const hosts = '# 1.1.1.1 no\n127.0.0.1\tlocalhost\n\n172.18.0.1 pay mail # way out\n10.0.0.9 pay\n';
    expect(hostsIn(hosts)).toEqual({ localhost: '127.0.0.1', pay: '172.18.0.1', mail: '172.18.0.1' });
    expect(serversIn('search lan\nnameserver 127.0.0.11\n#nameserver 8.8.8.8\noptions ndots:0\n')).toEqual([
      '127.0.0.11',
    ]);
  });
});
