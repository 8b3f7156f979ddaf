import { describe, expect, it } from 'vitest';
import { bridgeAddresses } from './bridge-addresses.js';

// As the system writes them, columns shortened: a default route, a bridge, a network card and a bridge in a larger network.
const routes = `Iface	Destination	Gateway 	Flags	RefCnt	Use	Metric	Mask		MTU
eth0	00000000	0101A8C0	0003	0	0	0	00000000	0
docker0	000011AC	00000000	0001	0	0	0	0000FFFF	0
eth0	0001A8C0	00000000	0001	0	0	0	00FFFFFF	0
br-1f	0080000A	00000000	0001	0	0	0	0080FFFF	0
`;
const addresses = `Main:
  +-- 0.0.0.0/0 3 0 5
     |-- 10.0.128.1
        /32 host LOCAL
     |-- 10.0.127.1
        /32 host LOCAL
     |-- 127.0.0.0
        /8 host LOCAL
     |-- 127.0.0.1
        /32 host LOCAL
     |-- 172.17.0.0
        /16 link UNICAST
     |-- 172.17.0.1
        /32 host LOCAL
     |-- 172.17.255.255
        /32 link BROADCAST
     |-- 192.168.1.7
        /32 host LOCAL
Local:
     |-- 172.17.0.1
        /32 host LOCAL
`;

describe('the addresses at which containers reach this machine', () => {
  it('are its own on the bridges, whether or not anything runs there', () => {
    const isBridge = (name: string) => name === 'docker0' || name === 'br-1f';
    expect(bridgeAddresses({ routes, addresses, isBridge })).toEqual(['10.0.128.1', '172.17.0.1']);
  });

  it('are none without a bridge', () => {
    expect(bridgeAddresses({ routes, addresses, isBridge: () => false })).toEqual([]);
    expect(bridgeAddresses({ routes: '', addresses: '', isBridge: () => true })).toEqual([]);
  });

  it('can be looked for on any system', () => {
    for (const address of bridgeAddresses()) expect(address).toMatch(/^[\d.]+$/);
  });
});
