import { createServer, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { deafPort } from '../fixtures/deaf-port.js';
import { freePort } from '../fixtures/free-port.js';
import { hostsIn, serversIn } from './beside.js';
import { probeFromHere } from './from-here.js';
import { combined, isFine, type Seen } from './probe.js';
import { reach } from './reach.js';

async function listening(answer: (socket: Socket) => void): Promise<number> {
  const server = createServer((socket) => {
    // Who only wanted to know whether somebody is there has gone before it is answered.
    socket.on('error', () => undefined);
    answer(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return (server.address() as { port: number }).port;
}

const timeoutMs = 5_000;

describe('reaching', () => {
  it('tells an open port from one that refuses, by name and by address', async () => {
    const [open, shut] = [await listening((socket) => socket.resume()), await freePort()];
    const seen = await reach({
      timeoutMs,
      holdMs: 0,
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
    const asked = [
      { host: 'localhost', ports, relayed: true },
      { host: 'localhost', ports },
    ];
    const [relayed, direct] = (await probeFromHere(timeoutMs)(asked, signal)) ?? [];
    expect(relayed?.ports.map(({ status }) => status)).toEqual(['refused', 'refused', 'open', 'open']);
    // Nobody but the server itself can have hung up.
    expect(direct?.ports.map(({ status }) => status)).toEqual(['open', 'open', 'open', 'open']);
  });

  it('may be tried for long without looking to Node like a leak', async () => {
    const warnings: Error[] = [];
    const note = (warning: Error) => void warnings.push(warning);
    process.on('warning', note);
    onTestFinished(() => void process.off('warning', note));
    const attempts = [{ host: '127.0.0.1', ports: [await freePort()] }];
    const { signal: own } = new AbortController();
    for (let time = 0; time < 12; time += 1) await reach({ attempts, timeoutMs, holdMs: 0 }, own);
    await new Promise((resolve) => setImmediate(resolve));
    expect(warnings).toEqual([]);
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

  it('has seen nothing when it was told to stop in the middle', async () => {
    const stop = new AbortController();
    const attempts = [{ host: '127.0.0.1', ports: [await deafPort()] }];
    const looking = probeFromHere(timeoutMs)(attempts, stop.signal);
    stop.abort(new Error('enough'));
    await expect(looking).rejects.toThrow('enough');
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
