import type { ResilienceEvent } from '@argusai/core';
import { describe, expect, it } from 'vitest';
import { type Line, paint } from '../text/line.js';
import { guardLines, guardProgress, launchedLines, type ShownIncident } from './guardian.js';

const text = (lines: readonly Line[]) => paint(lines, { color: false });
const guardian = { host: 'box', pid: 7, background: true, alive: true };
const incident: ShownIncident = {
  service: 'api',
  outcome: 'recovered',
  restarts: 1,
  message: 'api ended unexpectedly: exit code 3',
};

describe('the guard of an environment', () => {
  it('is nothing to speak of where nobody guards and nothing happened', () => {
    expect(guardLines({})).toEqual([]);
    expect(guardLines({ guardian: null, incidents: [] })).toEqual([]);
    expect(launchedLines(undefined)).toEqual([]);
  });

  it('tells what happened and who guards', () => {
    const exhausted: ShownIncident = {
      ...incident,
      outcome: 'exhausted',
      restarts: 3,
      refusal: 'max-restarts',
      message: 'no more',
    };
    const lines = guardLines({
      guardian,
      incidents: [incident, exhausted, { ...incident, outcome: 'open', restarts: 0, underWay: true }],
    });
    expect(text(lines)).toBe(
      [
        'api recovered, 1 restart: api ended unexpectedly: exit code 3',
        'api exhausted, 3 restarts (max-restarts): no more',
        'api open, a restart under way: api ended unexpectedly: exit code 3',
        'argus incidents shows more',
        'guarded by process 7 on box',
        '',
      ].join('\n'),
    );
    expect(text(guardLines({ incidents: [{ ...exhausted, startedAgain: true }] }))).toContain(
      'api exhausted, 3 restarts (max-restarts), before it was started again: no more\n',
    );
    expect(text(guardLines({ guardian: { ...guardian, background: false } }))).toBe(
      'guarded by process 7 on box, while it lasts\n',
    );
  });

  it('says when the guardian is gone, or did not come', () => {
    expect(text(guardLines({ guardian: { ...guardian, alive: false } }))).toBe(
      'unguarded: process 7 on box is gone; argus setup --guard starts another\n',
    );
    expect(text(launchedLines({ guarding: false, log: '/x.log' }))).toBe(
      'unguarded: the guardian did not get to its place; /x.log may say why\n',
    );
    expect(text(launchedLines({ guarding: true, pid: 9, since: 1 }))).toBe('guarded by process 9\n');
    expect(text(launchedLines({ guarding: true, pid: 9, since: 1, kept: true }))).toBe(
      'guarded by process 9 as before\n',
    );
  });

  it('tells what it does as it does it', () => {
    const event = (type: string, data: object) =>
      text(guardProgress({ channel: 'resilience', timestamp: 0, type, data } as ResilienceEvent));
    expect(event('guard_state', { runId: 'r', state: 'guarding', message: 'guards api' })).toBe(
      'guarding: guards api\n',
    );
    expect(event('restart_attempt', { container: 'api', attempt: 2, reason: 'OOM', delay: 2_000 })).toBe(
      'api failed: OOM; restart 2 in 2 s\n',
    );
    expect(event('restart_attempt', { container: 'api', attempt: 1, reason: 'OOM', delay: 0 })).toBe(
      'api failed: OOM; restart 1 now\n',
    );
    const along = { container: 'api', attempt: 1, reason: 'restarted with db', delay: 0, with: 'db' };
    expect(event('restart_attempt', along)).toBe('api is restarted with db\n');
    expect(event('restart_success', { container: 'api', attempt: 2, duration: 30 })).toBe(
      'api restarted: healthy after 30 ms (restart 2)\n',
    );
    const repaired = ['db: connected to its network again'];
    expect(event('restart_success', { container: 'api', attempt: 1, duration: 30, repaired })).toBe(
      'api repaired: db: connected to its network again; healthy after 30 ms, without a restart\n',
    );
    expect(
      event('incident_end', {
        service: 'api',
        outcome: 'recovered',
        restarts: 2,
        repairs: 0,
        message: 'it is well',
      }),
    ).toBe('api recovered: it is well\n');
    expect(event('circuit_half_open', { circuit: 'docker' })).toBe('');
  });
});
