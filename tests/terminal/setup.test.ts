import { describe, expect, it } from 'vitest';
import { freePorts, processProject } from '../environment/process-project.js';
import { script } from '../environment/run-project.js';
import { piped, steady, threeServices, typed } from './recorded.js';
import type { TerminalSession } from './terminal.js';

const nothing = { processes: [], records: [] };
const plugins = ['@argusai/plugin-process', '@argusai/plugin-ports', '@argusai/plugin-disk'];

async function project(middle: object = {}, rest: object = {}) {
  const port = await freePorts(3);
  return { port, ...(await processProject({ plugins, services: threeServices(port, middle), ...rest })) };
}

/** A service that says much and ends. */
const failing = {
  command: script("console.log('no '.repeat(60)); console.error('gone'); process.exit(3)"),
};

/** What is suggested in the end, which other tests are about. */
async function nextSteps(session: TerminalSession): Promise<string[]> {
  const lines = (await session.screen()).split('\n');
  const first = lines.findIndex((line) => line.startsWith('next: '));
  return first < 0 ? [] : lines.slice(first);
}

describe.each([80, 120])('argus setup at a terminal of %i columns', (columns) => {
  it('shows what each service waits for, and ends with where they are', async () => {
    const one = await project();
    const session = typed(one, columns, ['setup'], { FORCE_HYPERLINK: '1' });
    await session.shows(
      /. db {6}waiting for GET \/health {2}\d\.\d s\n· api {5}waits for db\n· web {5}waits for api/,
    );
    expect(await session.ended()).toBe(0);
    expect(steady(await session.screen(), one.port)).toBe(
      [
        '✓ db   ready  process  http://localhost:10000',
        '✓ api  ready  process  http://localhost:10001',
        '✓ web  ready  process  http://localhost:10002',
        'up: 3 services, run RUN is up after T',
      ].join('\n'),
    );
    const url = `http://localhost:${one.port}`;
    expect(session.written()).toContain(`\x1b]8;;${url}\x1b\\${url}\x1b]8;;\x1b\\`);
    expect(await session.broken()).toEqual([]);
    expect(session.written().lastIndexOf('\x1b[?25h')).toBeGreaterThan(
      session.written().lastIndexOf('\x1b[?25l'),
    );

    const again = typed(one, columns, ['status']);
    expect(await again.ended()).toBe(0);
    expect(steady(await again.screen(), one.port)).toBe(
      [
        '✓ db   healthy  process  http://localhost:10000',
        '✓ api  healthy  process  http://localhost:10001',
        '✓ web  healthy  process  http://localhost:10002',
        'up: run RUN, stays for 1d',
      ].join('\n'),
    );
    expect(again.written()).not.toContain('\x1b]8;');
  });

  it('leaves how far each service came when one fails, and what that one printed', async () => {
    const one = await project(failing);
    const session = typed(one, columns, ['setup']);
    expect(await session.ended()).toBe(1);
    const screen = steady(await session.screen(), one.port);
    const said = 'no '.repeat(60).trim();
    const width = Math.floor((columns - 5 + 1) / 3) * 3;
    expect(screen).toBe(
      [
        '✓ checks  healthy  T',
        '- db      taken down  T',
        '✗ api     failed: ended with exit code 3 before it was ready  T',
        '- web     not started',
        'error: api ended with exit code 3 before it was ready',
        'code: SERVICE_START_FAILED',
        'its output:',
        `  | ${said.slice(0, width).trim()}`,
        ...[said.slice(width, 2 * width), said.slice(2 * width)]
          .filter((rest) => rest !== '')
          .map((rest) => `    ${rest.trim()}`),
        '  | gone',
        'everything that was started has been taken down again',
        ...(await nextSteps(session)),
      ].join('\n'),
    );
    expect(await session.broken()).toEqual([]);
    expect(await one.leftovers()).toEqual(nothing);
  });

  it('stops in order at Ctrl-C, and shows what is stopped', async () => {
    const one = await project({ command: script('setInterval(() => {}, 1000)') });
    const session = typed(one, columns, ['setup']);
    await session.shows(/waiting for GET \/health {2}\d+\.\d s\n· web/);
    session.type('\x03');
    expect(await session.ended()).toBe(130);
    expect(steady(await session.screen(), one.port)).toBe(
      [
        'Stopping in order; once more to stop at once',
        '✓ checks  healthy  T',
        '- db      taken down  T',
        '- api     taken down  T',
        '- web     not started',
        'error: The work was cancelled',
        'code: CANCELLED',
        'everything that was started has been taken down again',
        ...(await nextSteps(session)),
      ].join('\n'),
    );
    expect(session.written().lastIndexOf('\x1b[?25h')).toBeGreaterThan(
      session.written().lastIndexOf('\x1b[?25l'),
    );
    expect(await one.leftovers()).toEqual(nothing);
  });
});

describe.each([80, 120])('argus run at a terminal of %i columns', (columns) => {
  const suites = (...commands: (string | string[])[]) => ({
    tests: { suites: commands.map((command, index) => ({ id: `suite-${index}`, command })) },
  });

  it('leaves the terminal to the tests once everything is up', async () => {
    const one = await project({}, suites('echo hello', 'false'));
    const session = typed(one, columns, ['run']);
    await session.shows('waits for db');
    expect(await session.ended()).toBe(1);
    expect(steady(await session.screen(), one.port)).toBe(
      [
        ...['✓ checks  healthy  T', '✓ db      ready  T', '✓ api     ready  T', '✓ web     ready  T'],
        ...['✓ verify  all services run  T'],
        ...['suite-0 runs: echo hello', 'hello', 'suite-1 runs: false'],
        ...['web stopping', 'removed process web', 'api stopping', 'removed process api'],
        ...['db stopping', 'removed process db'],
        ...['✓ suite-0  T', '✗ suite-1  exit code 1, T', 'down: 3 processes removed'],
        'failed: 1 of 2 suites, exit code 1',
      ].join('\n'),
    );
    expect(await session.broken()).toEqual([]);
  });

  it('stops in order at Ctrl-C', async () => {
    const one = await project({}, suites('sleep 60'));
    const session = typed(one, columns, ['run']);
    await session.shows('suite-0 runs: sleep 60');
    session.type('\x03');
    expect(await session.ended()).toBe(130);
    const screen = steady(await session.screen(), one.port);
    expect(screen.slice(screen.indexOf('suite-0'))).toBe(
      [
        ...['suite-0 runs: sleep 60', '^CStopping in order; once more to stop at once'],
        ...['web stopping', 'removed process web', 'api stopping', 'removed process api'],
        ...['db stopping', 'removed process db', '? suite-0  was stopped, T'],
        ...['error: The tests were stopped during suite-0; everything was taken down', 'code: CANCELLED'],
        ...(await nextSteps(session)),
      ].join('\n'),
    );
    expect(await one.leftovers()).toEqual(nothing);
  });
});

describe('without a terminal', () => {
  it('a setup is plain lines, and so it is in CI', async () => {
    const one = await project();
    const { code, stdout, stderr } = await piped(one, 'setup');
    expect(code).toBe(0);
    expect(steady(stdout, one.port)).toBe(
      [
        'db   ready  process  http://localhost:10000',
        'api  ready  process  http://localhost:10001',
        'web  ready  process  http://localhost:10002',
        'up: 3 services, run RUN is up after T\n',
      ].join('\n'),
    );
    const service = (name: string) => [
      `${name} starting: starting on process`,
      `${name} waiting: waiting for GET /health`,
      `${name} ready`,
    ];
    expect(steady(stderr, one.port)).toBe(
      [
        ...['gate done in T', 'resolve done in T'],
        ...[...service('db'), ...service('api'), ...service('web')],
        ...['start done in T', 'verify done in T\n'],
      ].join('\n'),
    );
    const inCi = typed(one, 80, ['setup'], { CI: 'true', FORCE_HYPERLINK: '0' });
    expect(await inCi.ended()).toBe(0);
    expect(inCi.written()).not.toContain('\x1b');
    expect(await inCi.screen()).toContain('api kept: runs as it should\n');
  });

  it('a failing setup tells the same', async () => {
    const one = await project(failing);
    const { code, stdout, stderr } = await piped(one, 'setup');
    expect([code, stdout]).toEqual([1, '']);
    expect(steady(stderr, one.port)).toContain(
      [
        'api failed: ended with exit code 3 before it was ready',
        'start failed in T',
        ...['api stopping', 'removed process api', 'db stopping', 'removed process db'],
        'error: api ended with exit code 3 before it was ready',
      ].join('\n'),
    );
  });
});
