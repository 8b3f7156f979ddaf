import { describe, expect, it } from 'vitest';
import { exitCodeOfStatus } from '../../exit-code.js';
import { paint } from '../text/line.js';
import { type ShownStatus, statusLines } from './status.js';

type Service = ShownStatus['services'][number];
type Run = NonNullable<ShownStatus['run']>;

const text = (lines: Parameters<typeof paint>[0]) => paint(lines, { color: false });

describe('a status', () => {
  const service: Service = {
    name: 'api',
    runtime: 'process',
    status: 'running',
    health: 'healthy',
    message: 'fine',
    endpoints: ['http://localhost:81'],
    restarts: 0,
  };
  const up: Run = { id: 'r1', state: 'up', alive: true, leaseMs: 60_000 };
  const status: ShownStatus = {
    project: 'shop',
    run: up,
    services: [service],
    otherRuns: [],
    lost: { resources: [], unknown: [] },
    circuits: [],
  };

  it('shows services and how long they stay', () => {
    expect(text(statusLines(status))).toBe(
      'api  running  healthy  process  http://localhost:81\nup: run r1, stays for 1m\n',
    );
  });

  it('shows what is wrong, restarts, circuits and other runs', () => {
    const broken: Service = {
      ...service,
      health: 'unhealthy',
      message: 'answered 503',
      restarts: 2,
      repairs: 1,
    };
    const done: Service = {
      ...service,
      name: 'seed',
      status: 'exited',
      health: 'none',
      message: 'done',
      endpoints: [],
    };
    const lines = statusLines({
      ...status,
      run: {
        ...up,
        state: 'starting',
        alive: false,
        why: 'its argus, process 7, died while starting',
      },
      services: [broken, done],
      otherRuns: [
        { id: 'r2', project: 'shop', worktree: '/x', state: 'up', alive: true },
        { id: 'r3', project: 'shop', worktree: '/y', state: 'up', alive: false },
      ],
      circuits: [
        { name: 'docker', state: 'open', failureCount: 5, sinceTransition: 1_000 },
        { name: 'quiet', state: 'closed', failureCount: 0, sinceTransition: null },
      ],
    });
    expect(text(lines)).toBe(
      [
        'api   running  unhealthy  process  http://localhost:81  2 restarts, 1 repair  answered 503',
        'seed  exited              process                                             done',
        'circuit docker: open, 5 failures in a row, for 1 s',
        'circuit quiet: closed, 0 failures in a row',
        'also: run r2 in /x is up',
        'also: run r3 in /y is dead',
        'dead: run r1, its argus, process 7, died while starting; argus setup starts anew',
        '',
      ].join('\n'),
    );
  });

  it('is a table with marks on a terminal', () => {
    const gone: Service = { ...service, name: 'gone', status: 'missing', health: 'none', endpoints: [] };
    const broken: Service = {
      ...service,
      name: 'db',
      health: 'unhealthy',
      message: 'answered 503',
      restarts: 1,
    };
    const unseen: Service = {
      ...service,
      name: 'mq',
      status: 'unknown',
      health: 'unknown',
      message: 'no engine',
    };
    const shown = { ...status, services: [service, broken, unseen, gone] };
    expect(text(statusLines(shown, 80))).toBe(
      [
        '✓ api   healthy    process  http://localhost:81',
        '✗ db    unhealthy  process  http://localhost:81',
        '    1 restart',
        '    answered 503',
        '? mq    unknown    process  http://localhost:81',
        '    no engine',
        '✗ gone  missing    process',
        'not up: 2 of 4 services are down or not well; argus logs --service db, argus setup',
        '',
      ].join('\n'),
    );
    expect(text(statusLines({ ...status, run: null, services: [gone] }, 80))).toMatch(/^- gone {2}missing/);
  });

  it('says what the configuration does not want any more', () => {
    const old: Service = { ...service, name: 'old', note: 'no longer in the configuration' };
    expect(text(statusLines({ ...status, services: [old] }))).toContain(
      'old  running  healthy  process  http://localhost:81  (no longer in the configuration)\n',
    );
  });

  it.each<[Partial<Service>, string]>([
    [
      { status: 'exited', health: 'unhealthy' },
      '1 of 2 services is down; argus logs --service shop, argus setup',
    ],
    [{ health: 'unhealthy' }, '1 of 2 services is not well; argus logs --service shop, argus setup'],
    [{ status: 'missing', health: 'none' }, '1 of 2 services is down; argus setup'],
  ])('does not end well when a service does not run or is not well: %o', (how, words) => {
    const services = [service, { ...service, name: 'shop', ...how }];
    expect(text(statusLines({ ...status, services }))).toMatch(new RegExp(`\nnot up: ${words}\n$`));
    expect(exitCodeOfStatus({ ...status, services })).toBe(1);
  });

  it('tells what a setup still waits for as starting, and does not end well with it', () => {
    const run: Run = { ...up, state: 'starting' };
    const services: Service[] = [
      { ...service, health: 'starting', message: 'answered 503' },
      { ...service, name: 'own', health: 'starting', message: 'starting' },
    ];
    expect(text(statusLines({ ...status, run, services }))).toBe(
      [
        'api  running  starting  process  http://localhost:81  answered 503',
        'own  running  starting  process  http://localhost:81',
        'starting: run r1, stays for 1m',
        '',
      ].join('\n'),
    );
    expect(exitCodeOfStatus({ ...status, run, services })).toBe(1);
    expect(exitCodeOfStatus({ ...status, services })).toBe(0);
  });

  it('ends with what could not be looked at', () => {
    const services: Service[] = [{ ...service, status: 'unknown', health: 'unknown' }];
    expect(text(statusLines({ ...status, services }))).toMatch(
      /\nunknown: 1 of 1 service could not be looked at; argus check says more\n$/,
    );
  });

  it.each<[Run['state'], string, string]>([
    ['up', 'its lease ran out', 'argus setup starts anew'],
    ['stopping', 'it was not taken down completely', 'argus clean removes what is left'],
  ])('says why a run is dead, and fails with it: %s', (state, why, next) => {
    const run = { ...up, state, alive: false, why };
    expect(text(statusLines({ ...status, run }))).toContain(`dead: run r1, ${why}; ${next}\n`);
    expect(exitCodeOfStatus({ ...status, run })).toBe(1);
  });

  it('says what is left of a run whose record was lost, and does not say that nothing runs', () => {
    const lost: ShownStatus['lost'] = {
      resources: [{ type: 'container', name: 'argus-a-api', runId: 'r0' }],
      unknown: [{ runtime: 'docker', reason: 'it is down' }],
    };
    expect(text(statusLines({ ...status, run: null, services: [], lost }))).toBe(
      [
        'left: container argus-a-api of run r0, whose record was lost; argus clean removes it',
        'unknown: what docker still has of runs whose record was lost: it is down',
        'unknown: the record of what was set up here was lost; argus clean takes it down',
        '',
      ].join('\n'),
    );
  });

  it('says what runs here under another name, and what is not known without a configuration', () => {
    const otherRuns = [{ id: 'r2', project: 'old', worktree: '/x', state: 'up', alive: true }];
    expect(text(statusLines({ ...status, run: null, services: [], otherRuns }))).toBe(
      'also: run r2 of old in /x is up\n' +
        'down: nothing of shop runs here, but run r2 of old does; argus status --run r2\n',
    );
    const unrecorded = 'argus.config.yaml has one problem';
    expect(text(statusLines({ ...status, run: null, services: [], unrecorded, configBroken: true }))).toBe(
      'unknown: the configuration cannot be read, so nobody knows what runs here\n',
    );
    const services: Service[] = [{ ...service, health: 'unknown', message: 'its health check is not known' }];
    expect(text(statusLines({ ...status, services }))).toMatch(
      /\nup: run r1, stays for 1m; how well is not known\n$/,
    );
    expect(exitCodeOfStatus({ ...status, services })).toBe(3);
  });

  it('says when nothing runs', () => {
    expect(text(statusLines({ ...status, run: null, services: [service] }))).toMatch(
      /\ndown: nothing runs here; argus setup brings it up\n$/,
    );
    expect(text(statusLines({ ...status, run: null, services: [] }))).toBe(
      'down: nothing runs here, and no service is configured; add one under services, or let argus init propose some\n',
    );
  });

  it.each([
    [['r7'], 'run r7 was'],
    [['r7', 'r8'], 'runs r7, r8 were'],
  ])('does not say so where another state folder has set up %j', (foreign, which) => {
    expect(text(statusLines({ ...status, run: null, services: [], foreign }))).toBe(
      `down: nothing is recorded here, but ${which} set up here with another state folder\n`,
    );
  });
});
