import { describe, expect, it } from 'vitest';
import { paint } from '../text/line.js';
import { diagnosisLines } from './diagnosis.js';

const text = (diagnosis: Parameters<typeof diagnosisLines>[0]) =>
  paint(diagnosisLines(diagnosis), { color: false });
const path = {
  from: 'api',
  to: 'db',
  host: 'db',
  port: 5432,
  dns: { ok: true, latencyMs: 1, addresses: ['172.18.0.2'] },
  tcp: { ok: true, latencyMs: 2.6 },
  status: 'reachable',
  via: 'inside',
};
const topology = [{ network: 'argus-shop-r1', containers: ['api', 'db'] }];

describe('what plugins found out', () => {
  it('of the network is who reaches whom, and who is on which network', () => {
    const closed = { ...path, from: 'web', tcp: null, status: 'unreachable', reason: 'not-found' };
    expect(text({ network: { connectivity: [path, closed], topology } })).toBe(
      [
        'network: web → db unreachable: db:5432, tried inside the container: the name cannot be resolved (not-found)',
        'network: 1 of 2 paths verified, slowest 3 ms',
        'network: api, db are on argus-shop-r1',
        '',
      ].join('\n'),
    );
    const alone = { network: 'bridge', containers: ['api'] };
    expect(text({ network: { connectivity: [], topology: [alone] } })).toBe('network: api is on bridge\n');
  });

  it('of a container that was left without its network is why, and what connects it', () => {
    const notReconnected = [
      { service: 'api', container: 'shop-api', refusal: 'autonomy: observe', command: 'argus fix' },
    ];
    expect(text({ network: { connectivity: [], topology: [], notReconnected } })).toBe(
      'network: api is not on its network, and may not be connected again (autonomy: observe); argus fix connects it\n',
    );
    const nameless = notReconnected.map((one) => ({ ...one, problem: 'nameless' }));
    expect(text({ network: { connectivity: [], topology: [], notReconnected: nameless } })).toBe(
      'network: api is on its network without its name, and may not be connected again (autonomy: observe); argus fix connects it\n',
    );
  });

  it('of names is which are found, where, and which are not', () => {
    const dns = [
      { from: 'api', to: 'db', host: 'db', ok: true, latencyMs: 1, addresses: ['172.18.0.2', '172.18.0.3'] },
      { from: 'web', to: 'api', host: 'api', ok: false, latencyMs: 4, addresses: [] },
      { from: 'api', to: 'web', host: 'web', ok: null, latencyMs: null, addresses: [] },
      { from: 'db', to: 'mock', host: 'mock', ok: true, latencyMs: null, addresses: [] },
    ];
    expect(text({ dns })).toBe(
      [
        'dns: api finds db at 172.18.0.2, 172.18.0.3 in 1 ms',
        'dns: web cannot find api',
        'dns: it is not known whether api finds web',
        'dns: db finds mock',
        '',
      ].join('\n'),
    );
  });

  it('that nobody knows how to draw is shown as it is', () => {
    expect(text({ dns: { ok: false }, network: ['odd'], memory: 3 })).toBe(
      'dns: {"ok":false}\nnetwork: ["odd"]\nmemory: 3\n',
    );
    expect(text({ dns: [{ ok: true }] })).toBe('dns: [{"ok":true}]\n');
  });
});
