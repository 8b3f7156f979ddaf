import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runArgus } from '../support/run-command.js';
import { ask, freePorts, serverOn } from './process-project.js';
import { runProject, script } from './run-project.js';

const nothing = { processes: [], records: [] };
/** Says a word and ends with a code. */
const saying = (id: string, code = 0) => ({
  id,
  command: script(`console.log('${id}'); process.exit(${code})`),
});

describe('argus run', () => {
  it('sets up, runs every suite with the ports, reports beside what they print, and takes down', async () => {
    const told = script(`
      const { ARGUS_PORT_API, ARGUS_URL_API, ARGUS_VAR_BASE_URL, OWN } = process.env;
      fetch(ARGUS_URL_API).then(() => console.log(ARGUS_PORT_API, ARGUS_VAR_BASE_URL, OWN, process.argv[1], process.cwd()))`);
    const suites = [
      {
        id: 'told',
        command: [...told, '{{ports.api}}'],
        environment: { OWN: '{{vars.base_url}}' },
      },
      { id: 'shell', command: `echo "$ARGUS_PORT_API" | tr 0-9 x` },
    ];
    const project = await runProject(suites);
    // A repository, so that the configuration is looked for above the folder as well.
    await mkdir(join(project.dir, '.git'));
    await mkdir(join(project.dir, 'below'));
    const { code, out, err } = await project.run('run', '--project', 'below');
    const url = `http://localhost:${project.port}/v1`;
    expect(out.toString()).toBe(
      `${project.port} ${url} ${url} ${project.port} ${project.dir}\n${'x'.repeat(5)}\n`,
    );
    expect(err).toContain('api ready\n');
    expect(err).toMatch(
      /\nremoved process api\npass {4}told .*\npass {4}shell .*\ndown: 1 process removed\npassed: 2 suites\n$/,
    );
    expect(code).toBe(0);
    expect(await project.leftovers()).toEqual(nothing);
  });

  it('goes on after a suite that fails, and ends as the first that did', async () => {
    const killed = { id: 'killed', command: 'kill -9 $$' };
    const project = await runProject([saying('a', 3), killed, saying('c')]);
    const { code, out, err } = await project.run('run');
    expect(out.toString()).toBe('a\nc\n');
    expect(err).toContain('fail    a  exit code 3');
    expect(err).toContain('fail    killed  ended by SIGKILL');
    expect(err).toContain('failed: 2 of 3 suites, exit code 3\n');
    expect(code).toBe(3);
    const named = await project.run('run', 'c', 'killed');
    expect([named.out.toString(), named.code]).toEqual(['c\n', 137]);
  });

  it('ends a suite that takes too long', async () => {
    const slow = { id: 'slow', command: ['sleep', '600'], timeout: '200ms' };
    const project = await runProject([slow, saying('next')]);
    const { code, json } = await project.run('run', '--format', 'json');
    expect(json().data.suites).toMatchObject([
      { id: 'slow', outcome: 'timed-out', timedOut: true },
      { id: 'next', outcome: 'passed' },
    ]);
    expect(code).toBe(124);
    expect(await project.leftovers()).toEqual(nothing);
  });

  it('uses an environment that is up and leaves it up', async () => {
    const project = await runProject([saying('a')]);
    const setup = await project.argus('setup');
    const { pid } = await ask(project.port);
    const { code, json } = await project.run('run', '--format', 'json');
    expect(json().data).toMatchObject({
      runId: setup.data.runId,
      setup: { unchanged: true },
      takenDown: null,
    });
    expect(code).toBe(0);
    expect((await ask(project.port)).pid).toBe(pid);
    expect((await project.run('run')).err).toContain('up: the environment stays up');
  });

  it('keeps what it has set up when it is told to', async () => {
    const project = await runProject([saying('a', 5)]);
    expect((await project.run('run', '--keep')).code).toBe(5);
    const { pid } = await ask(project.port);
    expect((await project.argus('setup')).data).toMatchObject({ unchanged: true });
    expect((await ask(project.port)).pid).toBe(pid);
  });

  it('ends as a setup does when the environment does not come up, and runs nothing', async () => {
    const project = await runProject([saying('a')], { services: { api: { command: ['no-such-program'] } } });
    const { code, out, err } = await project.run('run');
    expect([code, out.toString()]).toEqual([1, '']);
    expect(err).toContain('code: SERVICE_START_FAILED');
    expect(await project.leftovers()).toEqual(nothing);
  });

  it.each([
    [['smok'], 'There is no suite smok; did you mean smoke? A command comes after two dashes'],
    [['smoke', '--', 'ls'], 'Either suites or a command'],
    [['--'], 'no command is given'],
    [['--suites', 'smoke'], 'argus run has no option --suites'],
  ])('refuses %j before anything is started', async (args, message) => {
    const project = await runProject([saying('smoke')]);
    const { code, err } = await project.run('run', ...args);
    expect(err).toContain(message);
    expect(err).toContain('next: argus run --help');
    expect(code).toBe(2);
    expect(await project.leftovers()).toEqual(nothing);
  });

  it('says how to have suites where there are none', async () => {
    const project = await runProject([]);
    const { code, err } = await project.run('run');
    expect(err).toContain('tests: { suites: [{ id: smoke, command: npm test }] }');
    expect(err).toContain('argus run -- npm test');
    expect(code).toBe(2);
  });

  it('is explained with its arguments', async () => {
    const project = await runProject([]);
    const { stdout } = await runArgus(['run', '--help'], { cwd: project.dir, state: project.state });
    expect(stdout).toContain('Usage: argus run [SUITE…] [-- COMMAND…] [options]\n');
  });
});

describe('a command after two dashes', () => {
  it('gets every word as it is, whatever it would mean to argus', async () => {
    const project = await runProject([saying('never')]);
    const words = ['--format', 'json', '--help', '--no-color', '--', '-V', '{{ports.none}}', 'a b', ''];
    const printing = script('console.log(JSON.stringify(process.argv.slice(1)))');
    const { code, out, err } = await project.run('run', '--no-guard', '--', ...printing, '--', ...words);
    expect(JSON.parse(out.toString())).toEqual(words);
    expect(err).toMatch(/\npass {4}command .*\n/);
    expect(code).toBe(0);
  });

  it('that does not exist ends as in a shell', async () => {
    const project = await runProject([]);
    const { code, err } = await project.run('run', '--', 'no-such-command');
    expect(err).toContain('There is no command no-such-command');
    expect(code).toBe(127);
  });
});

describe('what tests print', () => {
  it('goes through untouched, however much it is and whatever bytes', async () => {
    const project = await runProject([]);
    const bytes = randomBytes(5_000_000);
    await writeFile(join(project.dir, 'bytes'), bytes);
    const { code, out } = await project.run('run', '--', 'cat', 'bytes');
    expect(out.equals(bytes)).toBe(true);
    expect(code).toBe(0);
  });

  it('goes to stderr, untouched, where stdout is for programs', async () => {
    const project = await runProject([]);
    await writeFile(join(project.dir, 'text'), 'o'.repeat(500_000));
    const both = ['/bin/sh', '-c', 'cat text; cat text >&2'];
    const { code, json, err } = await project.run('run', '--format', 'json', '--', ...both);
    expect(json()).toMatchObject({ ok: true, data: { suites: [{ id: 'command', exitCode: 0 }] } });
    expect(err === 'o'.repeat(1_000_000)).toBe(true);
    expect(code).toBe(0);
  });

  it('can be told from events', async () => {
    const project = await runProject([saying('a')]);
    const { out, err } = await project.run('run', '--format', 'ndjson');
    const lines = out.toString().trim().split('\n');
    const events = lines.map((line): { type: string; data: { suite?: string } } => JSON.parse(line));
    expect(events.flatMap(({ type, data }) => (data?.suite ? [`${type} ${data.suite}`] : []))).toEqual([
      'suite_start a',
      'suite_end a',
    ]);
    expect(events.at(-1)).toMatchObject({ type: 'result', ok: true });
    expect(err).toBe('a\n');
  });

  it('may answer what is typed in', async () => {
    const project = await runProject([]);
    const { child, ended } = project.launch('run', '--', 'cat');
    child.stdin?.end('typed in\n');
    expect((await ended).out.toString()).toBe('typed in\n');
  });
});

describe('a service that crashes once while tests run', () => {
  it('is healthy again, and the report says that it was restarted and why', async () => {
    const crash = script(`
      const url = process.env.ARGUS_URL_API;
      const pid = async () => (await (await fetch(url)).json()).pid;
      (async () => {
        const before = await pid();
        await fetch(url + '/crash').catch(() => {});
        for (;;) {
          const now = await pid().catch(() => before);
          if (now !== before) return console.log('back again');
          await new Promise((resolve) => setTimeout(resolve, 50));
        }
      })()`);
    const resilience = { container: { restartDelay: '10ms' } };
    const suites = [{ id: 'rough', command: crash, timeout: '50s' }, saying('after')];
    const project = await runProject(suites, { resilience });
    const { code, json, err } = await project.run('run', '--format', 'json');
    expect({ err, code }).toEqual({ err: 'back again\nafter\n', code: 0 });
    expect(json().data).toMatchObject({
      suites: [
        { id: 'rough', restarts: [{ service: 'api', reason: 'exit code 3', code: 'CONTAINER_CRASH' }] },
        { id: 'after', restarts: [] },
      ],
      incidents: [{ service: 'api', suite: 'rough', error: { code: 'CONTAINER_CRASH' } }],
    });
    // Before the next suite begins it is known how the restart ended, which the last one may not wait for.
    const pretty = await project.run('run');
    expect(pretty.err).toMatch(/\npass {4}rough .*\n {8}api was restarted: exit code 3, /);
    expect(await project.leftovers()).toEqual(nothing);
  });

  it('has those that go with it restarted before the next suite begins, and the report says so', async () => {
    const port = await freePorts(2);
    const services = { db: serverOn(port), api: serverOn(port + 1, { restartWith: ['db'] }) };
    const crash = script(`
      const url = process.env.ARGUS_URL_DB;
      const pid = async () => (await (await fetch(url)).json()).pid;
      (async () => {
        const before = await pid();
        await fetch(url + '/crash').catch(() => {});
        while ((await pid().catch(() => before)) === before) await new Promise((done) => setTimeout(done, 50));
      })()`);
    const third = script(`
      (async () => {
        const pids = new Set();
        for (let time = 0; time < 10; time += 1) {
          pids.add((await (await fetch(process.env.ARGUS_URL_API)).json()).pid);
          await new Promise((done) => setTimeout(done, 100));
        }
        if (pids.size !== 1) throw new Error('it was restarted meanwhile');
      })()`);
    const suites = [
      { id: 'crash', command: crash, timeout: '50s' },
      { id: 'third', command: third },
    ];
    const resilience = { container: { restartDelay: '10ms' } };
    const project = await runProject(suites, { services, resilience });
    const { code, json, err } = await project.run('run', 'crash', 'third', '--format', 'json');
    expect({ err, code }).toEqual({ err: '', code: 0 });
    const { suites: reported, incidents } = json().data;
    expect(reported).toMatchObject([
      {
        id: 'crash',
        restarts: expect.arrayContaining([
          expect.objectContaining({ service: 'db', reason: 'exit code 3', verdict: 'healthy' }),
          expect.objectContaining({ service: 'api', reason: 'restarted with db', verdict: 'healthy' }),
        ]),
      },
      { id: 'third', restarts: [] },
    ]);
    expect(incidents).toContainEqual(
      expect.objectContaining({
        service: 'api',
        error: expect.objectContaining({ code: 'DEPENDENCY_RESTARTED' }),
      }),
    );
    const pretty = await project.run('run', 'crash', 'third');
    expect(pretty.err).toMatch(/\npass {4}crash .*\n(.*\n)? {8}api was restarted with db, healthy after /);
    expect(await project.leftovers()).toEqual(nothing);
  });
});
