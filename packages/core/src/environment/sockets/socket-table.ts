import { quoted } from '../../model/printable.js';
import type { PortKey, Protocol } from './port-key.js';

/** A socket that holds a port of this machine. */
export interface BoundSocket {
  readonly protocol: Protocol;
  /** A plain address. */
  readonly address: string;
  readonly port: number;
  /** Of which family it is that is on every address. An IPv6 one is usually on the IPv4 addresses as well. */
  readonly family?: 4 | 6;
}

/** Who holds a port, as far as the system lets this user see it. */
export interface Holder extends BoundSocket {
  readonly pid?: number;
  readonly command?: string;
}

/** `process 17 «node x.mjs»`: a holder that this user can see. How it is called is its own word. */
export function describeHolder({ pid, command }: Pick<Holder, 'pid' | 'command'>): string {
  return command === undefined ? `process ${pid}` : `process ${pid} ${quoted(command)}`;
}

/** The sockets of this machine at one moment. */
export interface SocketTable {
  /** All sockets that hold a port; empty where the system does not list them for the asking. */
  readonly sockets: readonly BoundSocket[];
  /** Who holds these ports. Looking at processes costs more than looking at sockets, so it is done once for all. Rejects where nobody can look. */
  holders(ports: ReadonlySet<PortKey>, signal: AbortSignal): Promise<readonly Holder[]>;
}

/** Looks at the sockets of this machine that are of these protocols. */
export async function readSocketTable(
  protocols: ReadonlySet<Protocol>,
  platform: NodeJS.Platform = process.platform,
): Promise<SocketTable> {
  if (platform === 'linux') return (await import('./linux-sockets.js')).readLinuxSockets(protocols);
  if (platform === 'win32') return { sockets: [], holders: async () => [] };
  const { listHolders } = await import('./lsof.js');
  return { sockets: [], holders: listHolders };
}
