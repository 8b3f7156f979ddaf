import { endianness } from 'node:os';
import { everywhere, plainAddress } from './plain-address.js';
import type { Protocol } from './port-key.js';
import type { BoundSocket } from './socket-table.js';

/** A socket as the Linux kernel lists it. */
export interface ListedSocket extends BoundSocket {
  /** What the kernel calls the socket, also in the list of a process's open files. */
  readonly inode: string;
}

const listening = '0A';

/** Reads one of the tables in `/proc/net`: TCP sockets that listen, or all UDP sockets, which are bound by nature. */
export function parseProcNet(text: string, protocol: Protocol): ListedSocket[] {
  const sockets: ListedSocket[] = [];
  for (const line of text.split('\n').slice(1)) {
    const [, local = '', , state, , , , , , inode = '0'] = line.trim().split(/\s+/);
    if (protocol === 'tcp' && state !== listening) continue;
    const [address = '', port = ''] = local.split(':');
    if (port === '') continue;
    sockets.push({ protocol, ...addressOf(address), port: Number.parseInt(port, 16), inode });
  }
  return sockets;
}

/** The kernel writes an address as words of four bytes, each in the byte order of the machine. */
function addressOf(hex: string): Pick<BoundSocket, 'address' | 'family'> {
  const bytes = Buffer.from(hex, 'hex');
  if (endianness() === 'LE') bytes.swap32();
  const isShort = bytes.length === 4;
  const groups = () =>
    Array.from({ length: 8 }, (_, index) => bytes.readUInt16BE(index * 2).toString(16)).join(':');
  const address = plainAddress(isShort ? bytes.join('.') : groups());
  return address === everywhere ? { address, family: isShort ? 4 : 6 } : { address };
}
