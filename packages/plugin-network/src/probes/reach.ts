import type { Seen } from './probe.js';

/** What `reach` is asked. It must survive JSON: it may be asked in another process. */
export interface ReachRequest {
  readonly attempts: readonly {
    readonly host: string;
    readonly ports: readonly number[];
    /** A proxy stands between. */
    readonly relayed?: boolean;
  }[];
  readonly timeoutMs: number;
  /**
   * How long a connection through a proxy must hold to count. It accepts whatever comes, and hangs up when nobody is behind
   * it. Whoever hangs up without one is there.
   */
  readonly holdMs: number;
  /** How names are found; without it, as every program of this machine does. */
  readonly names?: {
    /** The lines of a hosts file. */
    readonly hosts: Readonly<Record<string, string>>;
    /** Addresses of name servers. */
    readonly servers: readonly string[];
  };
}

/**
 * Looks names up and connects to ports, from wherever it runs. It must stand on its own, with nothing from outside of its
 * body, because its text is also given to a Node in the network of a container.
 */
export async function reach(request: ReachRequest, signal?: AbortSignal): Promise<Seen[]> {
  const net = process.getBuiltinModule('node:net');
  const dns = process.getBuiltinModule('node:dns');
  const since = (begun: bigint) => Number((process.hrtime.bigint() - begun) / 10_000n) / 100;
  const codeOf = (error: unknown): string =>
    typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';

  const limited = <Value>(work: Promise<Value>): Promise<Value> =>
    new Promise((resolve, reject) => {
      const tooLong = () => reject(Object.assign(new Error('too long'), { code: 'ETIMEOUT' }));
      const timer = setTimeout(tooLong, request.timeoutMs);
      work.then(resolve, reject).finally(() => clearTimeout(timer));
    });

  const find = async (host: string): Promise<string[]> => {
    if (net.isIP(host) !== 0) return [host];
    if (request.names === undefined) {
      return (await dns.promises.lookup(host, { all: true })).map(({ address }) => address);
    }
    const known = request.names.hosts[host];
    if (known !== undefined) return [known];
    const resolver = new dns.promises.Resolver({ timeout: request.timeoutMs, tries: 1 });
    resolver.setServers([...request.names.servers]);
    try {
      return await resolver.resolve4(host);
    } catch (error) {
      if (codeOf(error) !== 'ENODATA') throw error;
      return resolver.resolve6(host);
    }
  };

  const nameOf = async (host: string): Promise<Seen['name']> => {
    const begun = process.hrtime.bigint();
    try {
      const addresses = await limited(find(host));
      return { status: 'resolved', latencyMs: since(begun), addresses };
    } catch (error) {
      const isUnknown = codeOf(error) === 'ENOTFOUND' || codeOf(error) === 'ENODATA';
      return { status: isUnknown ? 'not-found' : 'unclear', latencyMs: since(begun), addresses: [] };
    }
  };

  const statuses: Record<string, Seen['ports'][number]['status']> = {
    ECONNREFUSED: 'refused',
    ETIMEDOUT: 'timed-out',
    EHOSTUNREACH: 'no-route',
    ENETUNREACH: 'no-route',
  };
  // One listener for all, and only as long as they are tried: Node takes many for a leak.
  const sockets = new Set<import('node:net').Socket>();
  const stop = () => {
    for (const socket of sockets) socket.destroy(new Error('told to stop'));
  };
  signal?.addEventListener('abort', stop, { once: true });
  const connect = (host: string, port: number, holdMs: number) =>
    new Promise<Seen['ports'][number]>((resolve) => {
      const begun = process.hrtime.bigint();
      const socket = net.connect({ host, port });
      sockets.add(socket);
      if (signal?.aborted) stop();
      socket.once('close', () => sockets.delete(socket));
      let latencyMs: number | null = null;
      const end = (status: Seen['ports'][number]['status']) => {
        clearTimeout(timer);
        socket.destroy();
        resolve({ port, status, latencyMs: latencyMs ?? since(begun) });
      };
      let timer = setTimeout(() => end('timed-out'), request.timeoutMs);
      socket.once('error', (error) => {
        // Only what was accepted can be reset, which may come before the news that it was.
        const isAccepted = latencyMs !== null || codeOf(error) === 'ECONNRESET';
        if (isAccepted) end(holdMs === 0 ? 'open' : 'refused');
        else end(statuses[codeOf(error)] ?? 'unclear');
      });
      socket.once('connect', () => {
        latencyMs = since(begun);
        if (holdMs === 0) return end('open');
        clearTimeout(timer);
        timer = setTimeout(() => end('open'), holdMs);
        socket.once('data', () => end('open'));
        socket.once('end', () => end('refused'));
      });
    });

  const seen = request.attempts.map(async ({ host, ports, relayed = false }) => {
    const name = await nameOf(host);
    const unseen = (port: number) => ({ port, status: 'unclear' as const, latencyMs: null });
    if (name.status !== 'resolved') return { name, ports: ports.map(unseen) };
    // By its name where this machine finds it itself: it may stand for more than one address.
    const where = request.names === undefined ? host : (name.addresses[0] ?? host);
    const holdMs = relayed ? request.holdMs : 0;
    return { name, ports: await Promise.all(ports.map((port) => connect(where, port, holdMs))) };
  });
  return Promise.all(seen).finally(() => signal?.removeEventListener('abort', stop));
}
