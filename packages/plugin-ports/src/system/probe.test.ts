import { networkInterfaces } from 'node:os';
import { describe, expect, it } from 'vitest';
import { freePorts } from '../fixtures/free-ports.js';
import { holdTcp, holdUdp } from '../fixtures/hold-port.js';
import { probe } from './probe.js';

const hasIpv6 = Object.values(networkInterfaces()).some((all) =>
  all?.some(({ address }) => address === '::1'),
);

describe('trying a port', () => {
  it('finds a free one free, again and again, because it lets go of it', async () => {
    const port = await freePorts(1);
    for (const protocol of ['tcp', 'udp'] as const) {
      for (const address of ['*', '127.0.0.1', '*']) {
        expect(await probe({ protocol, address, port })).toBe('free');
      }
    }
  });

  it.each(['127.0.0.1', '0.0.0.0'])('finds it held on every address when someone is on %s', async (host) => {
    const { port } = await holdTcp(host);
    expect(await probe({ protocol: 'tcp', address: '*', port })).toBe('held');
    expect(await probe({ protocol: 'tcp', address: '127.0.0.1', port })).toBe('held');
  });

  it.runIf(process.platform === 'linux')('finds another address free beside a specific one', async () => {
    const { port } = await holdTcp('127.0.0.1', await freePorts(1));
    expect(await probe({ protocol: 'tcp', address: '127.0.0.2', port })).toBe('free');
  });

  it('tells UDP from TCP', async () => {
    const [tcp, udp] = [
      await holdTcp('127.0.0.1', await freePorts(1)),
      await holdUdp('127.0.0.1', await freePorts(1)),
    ];
    expect(await probe({ protocol: 'udp', address: '*', port: tcp.port })).toBe('free');
    expect(await probe({ protocol: 'tcp', address: '*', port: udp.port })).toBe('free');
    expect(await probe({ protocol: 'udp', address: '*', port: udp.port })).toBe('held');
    expect(await probe({ protocol: 'udp', address: '127.0.0.1', port: udp.port })).toBe('held');
  });

  it('cannot tell for an address that this machine does not have', async () => {
    // An address for documentation, which no machine has.
    expect(await probe({ protocol: 'tcp', address: '192.0.2.1', port: 3_000 })).toBe('unclear');
    expect(await probe({ protocol: 'udp', address: '192.0.2.1', port: 3_000 })).toBe('unclear');
  });

  describe.runIf(hasIpv6)('with IPv6', () => {
    it('finds a port held on every address when someone is on ::1, and free on 127.0.0.1', async () => {
      const { port } = await holdTcp('::1', await freePorts(1));
      expect(await probe({ protocol: 'tcp', address: '*', port })).toBe('held');
      expect(await probe({ protocol: 'tcp', address: '::1', port })).toBe('held');
      expect(await probe({ protocol: 'tcp', address: '127.0.0.1', port })).toBe('free');
    });

    it('finds 127.0.0.1 held by a socket for both families, and free beside one for IPv6 alone', async () => {
      const both = await holdTcp('::', await freePorts(1));
      const six = await holdTcp('::', await freePorts(1), true);
      expect(await probe({ protocol: 'tcp', address: '127.0.0.1', port: both.port })).toBe('held');
      expect(await probe({ protocol: 'tcp', address: '127.0.0.1', port: six.port })).toBe('free');
      expect(await probe({ protocol: 'tcp', address: '*', port: six.port })).toBe('held');
    });

    it('finds a UDP port held on ::1', async () => {
      const { port } = await holdUdp('::1', await freePorts(1));
      expect(await probe({ protocol: 'udp', address: '*', port })).toBe('held');
      expect(await probe({ protocol: 'udp', address: '::1', port })).toBe('held');
    });
  });
});
