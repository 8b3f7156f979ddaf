import type { PortMapping } from '@argusai/core';

/**
 * The first of some ports that something else holds. A process binds its ports itself, and what it says when that fails
 * differs from one program to the next, so they are tried for a moment before it is started.
 */
export async function takenPort(ports: readonly PortMapping[]): Promise<PortMapping | undefined> {
  const taken = await Promise.all(ports.map(isTaken));
  return ports[taken.indexOf(true)];
}

/** The port that a process of this machine really has. */
export function actualPort({ host, container }: PortMapping): number {
  return host ?? container;
}

async function isTaken(mapping: PortMapping): Promise<boolean> {
  // Without an address nobody knows which one the process will take; these two are where it would be reached.
  const addresses = mapping.ip === null ? ['127.0.0.1', '::'] : [mapping.ip.replace(/^\[|\]$/g, '')];
  for (const address of addresses) {
    const code = await (mapping.protocol === 'udp' ? tryUdp : tryTcp)(address, actualPort(mapping));
    if (code === 'EADDRINUSE') return true;
  }
  return false;
}

async function tryTcp(host: string, port: number): Promise<string | undefined> {
  const { createServer } = await import('node:net');
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}

async function tryUdp(address: string, port: number): Promise<string | undefined> {
  const { createSocket } = await import('node:dgram');
  return new Promise((resolve) => {
    const socket = createSocket(address.includes(':') ? 'udp6' : 'udp4');
    socket.once('error', ({ code }: NodeJS.ErrnoException) => {
      socket.close();
      resolve(code);
    });
    socket.bind({ address, port, exclusive: true }, () => socket.close(() => resolve(undefined)));
  });
}
