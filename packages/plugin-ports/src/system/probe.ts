import { everywhere, type Protocol } from '@argusai/core';

/** A port on an address of this machine, or on all of them. */
export interface Place {
  readonly protocol: Protocol;
  /** A plain address. */
  readonly address: string;
  readonly port: number;
}

/** What binding a port came to. `unclear`: this user may not bind it or has no such address, so it tells nothing. */
export type ProbeResult = 'free' | 'held' | 'unclear';

/** Binds a port for a moment to see whether that can be done: the only thing that really tells. */
export async function probe({ protocol, address, port }: Place): Promise<ProbeResult> {
  const bind = protocol === 'tcp' ? await tcpBinder() : await udpBinder();
  if (address !== everywhere) return resultOf(await bind(address, port));
  let free = false;
  // One after the other, because a probe of every address would stand in the way of the next.
  for (const each of addressesOf(process.platform)) {
    const result = resultOf(await bind(each, port));
    if (result === 'held') return 'held';
    free ||= result === 'free';
    // There a TCP socket on `::` is on every address, whatever the system's settings.
    if (free && protocol === 'tcp' && process.platform === 'linux') break;
  }
  return free ? 'free' : 'unclear';
}

/**
 * The addresses that together stand for all. Linux refuses `::` when anyone is on any address; `0.0.0.0` is for machines
 * without IPv6. Others allow it beside a socket on a more specific one, so the loopback is tried as well.
 */
function addressesOf(platform: NodeJS.Platform): readonly string[] {
  return platform === 'linux' ? ['::', '0.0.0.0'] : ['::', '0.0.0.0', '127.0.0.1', '::1'];
}

function resultOf(failure: string | undefined): ProbeResult {
  if (failure === undefined) return 'free';
  return failure === 'EADDRINUSE' ? 'held' : 'unclear';
}

/** Binds and lets go; gives the system's word for why it could not. */
type Bind = (address: string, port: number) => Promise<string | undefined>;

async function tcpBinder(): Promise<Bind> {
  const { createServer } = await import('node:net');
  return (host, port) =>
    new Promise((resolve) => {
      // Whoever connects in this moment must not keep the port from being let go.
      const server = createServer((socket) => socket.destroy());
      server.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code ?? 'unknown'));
      server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(undefined)));
    });
}

async function udpBinder(): Promise<Bind> {
  const { createSocket } = await import('node:dgram');
  return (address, port) =>
    new Promise((resolve) => {
      const socket = createSocket(address.includes(':') ? 'udp6' : 'udp4');
      socket.once('error', ({ code }: NodeJS.ErrnoException) => {
        socket.close();
        resolve(code ?? 'unknown');
      });
      socket.bind({ address, port, exclusive: true }, () => socket.close(() => resolve(undefined)));
    });
}
