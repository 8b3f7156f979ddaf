import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';
import type { PortMapping } from '@argusai/core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { takenPort } from './taken-port.js';

const mapping = (host: number, rest: Partial<PortMapping> = {}): PortMapping => ({
  host,
  container: host,
  ip: null,
  protocol: 'tcp',
  ...rest,
});

describe('a taken port', () => {
  it('is found wherever it is held, and is free for the other protocol', async () => {
    for (const host of ['127.0.0.1', '0.0.0.0']) {
      const port = await holdTcp(host);
      expect(await takenPort([mapping(port)])).toEqual(mapping(port));
      expect(await takenPort([mapping(port, { ip: '127.0.0.1' })])).toBeDefined();
      expect(await takenPort([mapping(port, { protocol: 'udp' })])).toBeUndefined();
    }
  });

  it('is found for UDP', async () => {
    const socket = createSocket('udp4');
    await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
    const { port } = socket.address();
    expect(await takenPort([mapping(port, { protocol: 'udp' })])).toBeDefined();
    await new Promise<void>((resolve) => socket.close(resolve));
    expect(await takenPort([mapping(port, { protocol: 'udp' })])).toBeUndefined();
  });

  it('is the first that is taken, by the number that it really has', async () => {
    const port = await holdTcp('127.0.0.1');
    const free = mapping(port, { host: null, container: await freed() });
    expect(await takenPort([free, mapping(port)])).toEqual(mapping(port));
    expect(await takenPort([free])).toBeUndefined();
    expect(await takenPort([])).toBeUndefined();
  });

  it('is not one on an address that this machine does not have', async () => {
    expect(await takenPort([mapping(await freed(), { ip: '192.0.2.1' })])).toBeUndefined();
  });
});

async function holdTcp(host: string): Promise<number> {
  const server = createServer();
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  return (server.address() as { port: number }).port;
}

async function freed(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
