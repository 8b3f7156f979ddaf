import { describe, expect, it } from 'vitest';
import { paint } from '../text/line.js';
import { networkLines, type ShownNetwork } from './network.js';

const text = (network: ShownNetwork | undefined) => paint(networkLines(network), { color: false });
const path = {
  from: 'api',
  to: 'db',
  host: 'db',
  port: 5432,
  status: 'reachable',
  via: 'inside',
  tcp: { latencyMs: 2.6 },
};

describe('the network of an environment', () => {
  it('is nothing to speak of where it was not looked at, or nobody needs anybody', () => {
    expect(text(undefined)).toBe('');
    expect(text({ results: [], reconnected: [] })).toBe('');
  });

  it('is how many paths are open, and the slowest of them', () => {
    const slow = { ...path, to: 'mock', tcp: { latencyMs: 12 } };
    expect(text({ results: [path, slow], reconnected: [] })).toBe('2 paths verified, slowest 12 ms\n');
    expect(text({ results: [path], reconnected: [] })).toBe('1 path verified, slowest 3 ms\n');
  });

  it('is silent about what has no port, such as a worker', () => {
    const worker = { ...path, to: 'worker', port: null, status: 'unknown', reason: 'no-port', tcp: null };
    expect(text({ results: [worker], reconnected: [] })).toBe('');
    expect(text({ results: [path, worker], reconnected: [] })).toBe('1 path verified, slowest 3 ms\n');
  });

  it('names each path that was not found open, what was tried and why, and what was connected again', () => {
    const unknown = { ...path, status: 'unknown', tcp: null };
    const results = [
      { ...unknown, reason: 'no-tool', via: null },
      {
        ...unknown,
        from: 'web',
        to: 'api',
        host: 'localhost',
        via: 'this machine',
        reason: 'nobody-listens',
      },
      { ...unknown, from: 'web', port: null, via: 'companion', reason: 'something-new' },
      { ...unknown, from: 'x', status: 'unreachable' },
    ];
    expect(text({ results, reconnected: ['api', 'db'] })).toBe(
      [
        'api was connected to its network again',
        'db was connected to its network again',
        'api → db unknown: db:5432: there is nothing to look with (no-tool)',
        'web → api unknown: localhost:5432, tried from this machine: the way is open, but nobody listens there yet (nobody-listens)',
        'web → db unknown: db, tried with a companion: something-new',
        'x → db unreachable: db:5432, tried inside the container',
        '0 of 4 paths verified',
        '',
      ].join('\n'),
    );
  });
});
