import { describe, expect, it } from 'vitest';
import { answering } from './answering.js';
import { everywhere } from './plain-address.js';
import type { BoundSocket } from './socket-table.js';

const port = 3_000;
const on = (address: string, family?: 4 | 6): BoundSocket => ({
  protocol: 'tcp',
  port,
  address,
  ...(family ? { family } : {}),
});
const [v4, v6] = [on(everywhere, 4), on(everywhere, 6)];

describe('who answers at an address', () => {
  it.each([
    ['is who is there', [on('127.0.0.1'), on('127.0.0.2')], '127.0.0.1', [on('127.0.0.1')]],
    ['is rather who is there than who is everywhere', [v4, on('127.0.0.1')], '127.0.0.1', [on('127.0.0.1')]],
    ['is who is on every address of the family', [v4, v6], '127.0.0.1', [v4]],
    ['is an IPv6 socket also for IPv4, when there is no other', [v6], '127.0.0.1', [v6]],
    ['is no IPv4 socket for IPv6', [v4], '::1', []],
    ['is nobody on another port', [{ ...v4, port: 3_001 }], '127.0.0.1', []],
    ['is nobody who speaks UDP', [{ ...v4, protocol: 'udp' }], '127.0.0.1', []],
  ] as const)('%s', (_, sockets, address, expected) => {
    expect(answering<BoundSocket>(sockets, port, address)).toEqual(expected);
  });
});
