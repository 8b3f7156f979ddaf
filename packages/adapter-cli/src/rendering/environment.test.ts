import { describe, expect, it } from 'vitest';
import { cleanLines, setupLines, statusLines } from './environment.js';
import { paint } from './line.js';

const text = (lines: Parameters<typeof paint>[0]) => paint(lines, { color: false });

describe('a setup', () => {
  const api = { name: 'api', runtime: 'process', status: 'ready', endpoints: ['http://localhost:81'] };
  const worker = { name: 'worker', runtime: 'process', status: 'kept', endpoints: [] };
  const mapping = { service: 'api', originalPort: 80, actualPort: 81, reassigned: true };
  const setup = {
    ...{ runId: 'r1', unchanged: false, services: [api, worker], stages: { gate: 10, start: 30 } },
    portMappings: [mapping, { ...mapping, service: 'worker', reassigned: false }],
  };

  it('shows where everything is and which ports were moved', () => {
    expect(text(setupLines(setup))).toBe(
      [
        'api     ready  process  http://localhost:81',
        'worker  kept   process',
        'api has port 81, because 80 is taken',
        'up: 2 services, run r1 is up after 40 ms',
        '',
      ].join('\n'),
    );
  });

  it('says that nothing had to be changed', () => {
    const lines = setupLines({ ...setup, services: [api], portMappings: [], unchanged: true });
    expect(text(lines)).toContain('up: one service, run r1 is up already, nothing had to be changed\n');
  });
});

describe('a status', () => {
  const service = {
    ...{ name: 'api', runtime: 'process', status: 'running', health: 'healthy', message: 'fine' },
    ...{ endpoints: ['http://localhost:81'], restarts: 0 },
  };
  const status = {
    run: { id: 'r1', state: 'up', alive: true, leaseMs: 60_000 },
    services: [service],
    otherRuns: [],
    circuits: [],
  };

  it('shows services and how long they stay', () => {
    expect(text(statusLines(status))).toBe(
      'api  running  healthy  process  http://localhost:81\nup: run r1, stays for 1m\n',
    );
  });

  it('shows what is wrong, restarts, circuits and other runs', () => {
    const broken = { ...service, health: 'unhealthy', message: 'answered 503', restarts: 2 };
    const done = {
      ...service,
      name: 'seed',
      status: 'exited',
      health: 'none',
      message: 'done',
      endpoints: [],
    };
    const lines = statusLines({
      run: { ...status.run, state: 'starting', alive: false },
      services: [broken, done],
      otherRuns: [
        { id: 'r2', worktree: '/x', state: 'up', alive: true },
        { id: 'r3', worktree: '/y', state: 'up', alive: false },
      ],
      circuits: [{ name: 'docker', state: 'open', failureCount: 5, sinceTransition: 1_000 }],
    });
    expect(text(lines)).toBe(
      [
        'api   running  unhealthy  process  http://localhost:81  2 restarts  answered 503',
        'seed  exited              process                                   done',
        'circuit docker: open, 5 failures in a row, for 1 s',
        'also: run r2 in /x is up',
        'also: run r3 in /y is dead',
        'dead: run r1 died while starting; argus setup starts anew, argus clean removes what is left',
        '',
      ].join('\n'),
    );
  });

  it('says that a lease has run out', () => {
    const run = { ...status.run, alive: false, leaseMs: 0 };
    expect(text(statusLines({ ...status, run }))).toContain('dead: run r1 has run out; ');
  });

  it('says when nothing runs', () => {
    expect(text(statusLines({ ...status, run: null, services: [] }))).toBe(
      'down: nothing runs here; argus setup brings it up\n',
    );
  });
});

describe('a clean', () => {
  const container = (name: string) => ({ type: 'container', name });
  const removed = [container('a'), container('b'), { type: 'network', name: 'n' }];

  it('counts what was removed', () => {
    expect(text(cleanLines({ dryRun: false, removed, failed: [] }))).toBe(
      'down: 2 containers and 1 network removed\n',
    );
    const processes = [
      { type: 'process', name: 'a' },
      { type: 'process', name: 'b' },
    ];
    expect(text(cleanLines({ dryRun: false, removed: processes, failed: [] }))).toBe(
      'down: 2 processes removed\n',
    );
  });

  it('lists what would be removed', () => {
    expect(text(cleanLines({ dryRun: true, removed, failed: [] }))).toBe(
      'would remove container a\nwould remove container b\nwould remove network n\n',
    );
  });

  it('names what could not be removed', () => {
    const failed = [{ ...container('a'), error: { message: 'busy' } }];
    expect(text(cleanLines({ dryRun: false, removed: removed.slice(2), failed }))).toBe(
      'not down: 1 network removed, could not remove container a\n',
    );
    expect(text(cleanLines({ dryRun: false, removed: [], failed }))).toBe(
      'not down: nothing removed, could not remove container a\n',
    );
  });

  it('says when there was nothing', () => {
    for (const dryRun of [true, false])
      expect(text(cleanLines({ dryRun, removed: [], failed: [] }))).toBe('There was nothing to remove\n');
  });
});
