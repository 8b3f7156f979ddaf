import { createWriteStream, fstatSync } from 'node:fs';
import { Socket } from 'node:net';
import type { Writable } from 'node:stream';

/** The stream that carries the protocol: a pipe or a socket of the client's, or a file where somebody keeps what is said. */
export function protocolStream(fd: number): Writable {
  const kind = fstatSync(fd);
  const isPipe = kind.isFIFO() || kind.isSocket();
  return isPipe ? new Socket({ fd, readable: false, writable: true }) : createWriteStream('', { fd });
}
