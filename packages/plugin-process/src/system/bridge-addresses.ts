import { existsSync, readFileSync } from 'node:fs';

/** What Linux tells about its network. */
export interface NetworkTables {
  /** `/proc/net/route`: which interface leads to which network. */
  readonly routes: string;
  /** `/proc/net/fib_trie`: among much else, the addresses of this machine. */
  readonly addresses: string;
  isBridge(name: string): boolean;
}

/**
 * The addresses of this machine on bridges such as those of container engines, at which containers reach it. Where the
 * engine is in a virtual machine there are none, and none are needed: there it passes connections on to the local address.
 */
export function bridgeAddresses(tables: NetworkTables | undefined = readTables()): string[] {
  if (!tables) return [];
  const networks = tables.routes
    .split('\n')
    .map((line) => line.split(/\s+/))
    .filter(([name = '']) => tables.isBridge(name))
    .map((fields) => ({ network: numberOf(fields[1]), mask: numberOf(fields[7]) }))
    .filter(({ mask }) => mask !== 0);
  const local = tables.addresses.matchAll(/\|-- ([\d.]+)\n\s+\/32 host LOCAL/g);
  const addresses = new Set([...local].map(([, address = '']) => address));
  return [...addresses].filter((address) => {
    const number = new DataView(Uint8Array.from(address.split('.').map(Number)).buffer).getUint32(0);
    return networks.some(({ network, mask }) => (number & mask) >>> 0 === network);
  });
}

/** Not `os.networkInterfaces`: it leaves out a bridge on which no container runs yet, and mocks come first. */
function readTables(): NetworkTables | undefined {
  try {
    const routes = readFileSync('/proc/net/route', 'utf8');
    const addresses = readFileSync('/proc/net/fib_trie', 'utf8');
    const isBridge = (name: string) => name !== '' && existsSync(`/sys/class/net/${name}/bridge`);
    return { routes, addresses, isBridge };
  } catch {
    // Another system, on which engines live in a virtual machine.
    return undefined;
  }
}

/** Addresses are written as the hexadecimal of a number whose lowest byte comes first. */
function numberOf(hexadecimal = ''): number {
  const bytes = Buffer.from(hexadecimal, 'hex');
  return bytes.length === 4 ? bytes.readUInt32LE() : 0;
}
