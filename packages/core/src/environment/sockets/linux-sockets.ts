import { readFile } from 'node:fs/promises';
import { commandOf, ownersOf } from './linux-processes.js';
import { type PortKey, type Protocol, portKey } from './port-key.js';
import { type ListedSocket, parseProcNet } from './proc-net.js';
import type { Holder, SocketTable } from './socket-table.js';

/** Reads the kernel's own tables; no other program is needed. */
export async function readLinuxSockets(protocols: ReadonlySet<Protocol>): Promise<SocketTable> {
  const read = [...protocols].map(async (protocol) => {
    const tables = await Promise.all([readTable(protocol), readTable(`${protocol}6`)]);
    return tables.flatMap((table) => parseProcNet(table, protocol));
  });
  const sockets = (await Promise.all(read)).flat();
  return { sockets, holders: (ports, signal) => identify(sockets, ports, signal) };
}

async function readTable(file: string): Promise<string> {
  // A kernel without IPv6 has no tables for it; where there are none at all, binding still tells.
  return readFile(`/proc/net/${file}`, 'utf8').catch(() => '');
}

async function identify(
  sockets: readonly ListedSocket[],
  ports: ReadonlySet<PortKey>,
  signal: AbortSignal,
): Promise<Holder[]> {
  const wanted = sockets.filter((socket) => ports.has(portKey(socket)));
  if (wanted.length === 0) return [];
  const owners = await ownersOf(new Set(wanted.map(({ inode }) => inode)), signal);
  const commands = new Map([...new Set(owners.values())].map((pid) => [pid, commandOf(pid)]));
  return wanted.map(({ inode, ...socket }) => {
    const pid = owners.get(inode);
    if (pid === undefined) return socket;
    const command = commands.get(pid);
    return { ...socket, pid, ...(command === undefined ? {} : { command }) };
  });
}
