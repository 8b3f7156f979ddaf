import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { serviceOf } from '../../../plugin-docker/src/runtime/fixtures/trial-run.js';
import type { Seen } from '../probes/probe.js';
import { type Acquaintance, judge, patienceFor } from './judge.js';
import type { Path } from './path.js';

type Status = Seen['ports'][number]['status'];

const path = (...promises: boolean[]): Path => ({
  from: serviceOf('api', {}),
  to: serviceOf('db', {}),
  host: 'db',
  ports: promises.map((promised, port) => ({ port, promised })),
});
const seen = (name: Seen['name']['status'], ...ports: Status[]): Seen => ({
  name: { status: name, latencyMs: 1, addresses: [] },
  ports: ports.map((status, port) => ({ port, status, latencyMs: 1 })),
});
const verdict = (promises: boolean[], look: Seen | undefined, known: Acquaintance = 'known') => {
  const judged = judge(path(...promises), look, known);
  return judged.status === 'reachable' ? 'reachable' : `${judged.status} ${judged.reason}`;
};

describe('the verdict on a path', () => {
  it('is reachable when every port on which something must listen is open, or any when none must', () => {
    expect(verdict([true, false], seen('resolved', 'open', 'refused'))).toBe('reachable');
    expect(verdict([false, false], seen('resolved', 'refused', 'open'))).toBe('reachable');
    // Whoever has been reached had an address, whatever was said about its name.
    expect(verdict([false], seen('unclear', 'open'))).toBe('reachable');
  });

  it('is unreachable when a name is known to lead nowhere', () => {
    expect(verdict([true], seen('not-found', 'unclear'))).toBe('unreachable not-found');
    expect(verdict([], seen('not-found'))).toBe('unreachable not-found');
    expect(verdict([true], seen('unclear', 'unclear'), 'not-known')).toBe('unreachable no-answer');
  });

  it('is unreachable when something must listen and does not, or nothing gets there at all', () => {
    expect(verdict([true], seen('resolved', 'refused'))).toBe('unreachable refused');
    expect(verdict([true, false], seen('resolved', 'timed-out', 'open'))).toBe('unreachable timed-out');
    expect(verdict([false], seen('resolved', 'no-route'))).toBe('unreachable no-route');
  });

  it('is unknown when nobody could look, or nobody said that something listens', () => {
    expect(verdict([true], undefined)).toBe('unknown no-tool');
    expect(verdict([true], seen('resolved', 'unclear'))).toBe('unknown no-tool');
    expect(verdict([false], seen('resolved', 'unclear'))).toBe('unknown no-tool');
    expect(verdict([false], seen('resolved', 'refused'))).toBe('unknown nobody-listens');
    expect(verdict([false, false], seen('resolved', 'timed-out', 'open'))).toBe('reachable');
    expect(verdict([], seen('resolved'))).toBe('unknown no-port');
    expect(verdict([true], seen('unclear', 'unclear'))).toBe('unknown no-answer');
    expect(verdict([true], seen('not-found', 'unclear'), 'older')).toBe('unknown older');
  });

  it('never raises an alarm without something that was clearly seen', () => {
    const port = fc.constantFrom<Status>('open', 'unclear', 'refused');
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.boolean(), port)),
        fc.constantFrom('resolved', 'unclear'),
        (ports, name) => {
          const fine = ports.map(([promised, status]) =>
            promised && status === 'refused' ? 'unclear' : status,
          );
          const look = seen(name as 'resolved', ...fine);
          const judged = judge(path(...ports.map(([promised]) => promised)), look, 'known');
          expect(judged.status).not.toBe('unreachable');
        },
      ),
    );
  });
});

describe('the patience with a path', () => {
  const patience = (promises: boolean[], look: Seen) =>
    patienceFor(judge(path(...promises), look, 'known'), 30_000);

  it('is long for what must come, short for what may, and none where nothing can change', () => {
    expect(patience([true], seen('resolved', 'refused'))).toBe(30_000);
    expect(patience([false], seen('resolved', 'refused'))).toBe(500);
    expect(patience([true], seen('not-found', 'unclear'))).toBe(1_500);
    expect(patience([true], seen('resolved', 'timed-out'))).toBe(1_500);
    expect(patience([true], seen('unclear', 'unclear'))).toBe(1_500);
    expect(patience([], seen('resolved'))).toBe(0);
    expect(patience([true], seen('resolved', 'open'))).toBe(0);
  });
});
