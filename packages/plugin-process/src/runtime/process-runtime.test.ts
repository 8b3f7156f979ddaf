import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { isArgusError, type PortMapping, processStart } from '@argusai/core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { forever, node, service } from '../fixtures/service.js';
import { makeWorld, until } from '../fixtures/world.js';

const port = (host: number | null, container = host ?? 0): PortMapping => ({
  host,
  container,
  ip: null,
  protocol: 'tcp',
});

describe('which services are processes', () => {
  it('are those with a command and no image, and mocks with routes', async () => {
    const { runtime } = await makeWorld();
    expect(runtime.runs(service('api', { command: 'node x' }))).toBe(true);
    expect(runtime.runs(service('pay', { kind: 'mock', routes: [] }))).toBe(true);
    expect(runtime.runs(service('api', { command: 'node x', image: 'shop/api' }))).toBe(false);
    expect(runtime.runs(service('api', { command: 'x', build: { context: '/', args: {} } }))).toBe(false);
    expect(runtime.runs(service('pay', { kind: 'mock', image: 'pay' }))).toBe(false);
  });
});

describe('starting a process', () => {
  it('runs the command in the folder of the project with the environment of the user and of the service', async () => {
    const world = await makeWorld();
    process.env.ARGUS_TEST_USER = 'from the user';
    process.env.ARGUS_TEST_BOTH = 'from the user';
    onTestFinished(() => {
      delete process.env.ARGUS_TEST_USER;
      delete process.env.ARGUS_TEST_BOTH;
    });
    const script = `
      const { ARGUS_TEST_USER: user, ARGUS_TEST_BOTH: both, PORT: port } = process.env;
      require('node:fs').writeFileSync('seen.json', JSON.stringify({ user, both, port, cwd: process.cwd() }));
      ${forever}`;
    await world.start(
      service('api', {
        command: node(script),
        environment: { ARGUS_TEST_BOTH: 'from the service' },
        ports: [port(28_811, 3000)],
      }),
    );
    await until(() => existsSync(join(world.dir, 'seen.json')));
    await until(async () => (await readFile(join(world.dir, 'seen.json'), 'utf8')) !== '');
    expect(JSON.parse(await readFile(join(world.dir, 'seen.json'), 'utf8'))).toEqual({
      user: 'from the user',
      both: 'from the service',
      port: '28811',
      cwd: world.dir,
    });
    expect(await world.inspect('api')).toMatchObject({
      status: 'running',
      spec: 'spec of api',
      restarts: 0,
      id: 'run-1/api',
      ports: [{ host: 28_811, container: 3000 }],
      details: { kept: true, pid: world.stateOf('api').child?.pid },
    });
  });

  it.each([
    ['its own PORT', { ports: [port(28_812)], environment: { PORT: '1' } }, '1'],
    ['several ports', { ports: [port(28_812), port(28_813)] }, 'none'],
    ['a port that has no other number here', { ports: [port(null, 28_814)] }, '28814'],
  ])('sets PORT for a service with %s', async (_, rest, expected) => {
    const world = await makeWorld();
    delete process.env.PORT;
    await world.start(service('api', { command: node('console.log(process.env.PORT ?? "none")'), ...rest }));
    await world.ended('api');
    expect(await linesOf(world, 'api')).toEqual([expected]);
  });

  it('honours quotes without a shell, and says so when it needs a shell', async () => {
    const world = await makeWorld();
    const args = 'console.log(JSON.stringify(process.argv.slice(1)))';
    await world.start(
      service('plain', { command: `"${process.execPath}" -e '${args}' "a b" c\\ d '$HOME'` }),
      service('piped', { command: 'echo one two | wc -w' }),
    );
    await Promise.all([world.ended('plain'), world.ended('piped')]);
    expect(await linesOf(world, 'plain')).toEqual(['["a b","c d","$HOME"]']);
    expect((await linesOf(world, 'piped')).map((line) => line.trim())).toEqual(['2']);
    expect(world.events.map(({ data }) => data)).toEqual([
      { service: 'piped', state: 'starting', message: 'runs in a shell because of the |' },
    ]);
  });

  it('says which settings mean nothing for a process', async () => {
    const world = await makeWorld();
    const rest = { memory: 1_000_000, user: 'nobody', volumes: ['data:/data'] };
    await world.start(service('api', { command: ['true'], ...rest }));
    expect(world.events).toMatchObject([
      { data: { message: 'memory, user, volumes mean nothing for a process' } },
    ]);
  });

  it.each([
    [
      'a command that does not exist',
      'no-such-program-here --serve',
      'command-missing',
      /: there is no command no-such-program-here$/,
    ],
    ['an empty command', '  ', 'failed', /empty/],
    ['a folder as the command', './', 'failed', /could not be started/],
  ])('refuses %s and leaves nothing behind', async (_, command, reason, message) => {
    const world = await makeWorld();
    const error = await world.start(service('api', { command })).catch((thrown) => thrown);
    expect(isArgusError(error) && error.error).toMatchObject({
      code: 'SERVICE_START_FAILED',
      message: expect.stringMatching(message),
      details: { service: 'api', reason },
    });
    expect(await world.runtime.resources({ project: 'shop' }, world.signal)).toEqual([]);
    expect(await readdir(world.base)).toEqual([]);
  });

  it.each([
    [
      'a script without its interpreter',
      '#!/nope/sh\n',
      0o755,
      /script\.sh is there, but its interpreter \/nope\/sh is not$/,
    ],
    [
      'a script whose lines end as on Windows',
      '#!/bin/sh\r\n',
      0o755,
      /script\.sh is there, but its interpreter \/bin\/sh\\r is not$/,
    ],
    ['a file that may not be executed', 'true\n', 0o644, /script\.sh may not be executed; chmod \+x/],
  ])('says what is wrong with %s', async (_, text, mode, message) => {
    const world = await makeWorld();
    const script = join(await mkdtemp(join(tmpdir(), 'argus-script-')), 'script.sh');
    onTestFinished(() => rm(dirname(script), { recursive: true }));
    await writeFile(script, text, { mode });
    const error = await world.start(service('api', { command: [script] })).catch((thrown) => thrown);
    // The command is named rightly, so that nobody is to name another one.
    expect(isArgusError(error) && error.error).toMatchObject({
      message: expect.stringMatching(message),
      details: { reason: 'failed' },
    });
  });

  it.runIf(process.platform === 'linux')(
    'says what is wrong with a program whose loader is missing',
    async () => {
      const world = await makeWorld();
      const program = await readFile('/bin/true');
      const loader = program.indexOf('/ld-');
      expect(loader).toBeGreaterThan(0);
      program.write('/xx-', loader);
      await writeFile(join(world.dir, 'server'), program, { mode: 0o755 });
      const error = await world.start(service('api', { command: ['./server'] })).catch((thrown) => thrown);
      expect(isArgusError(error) && error.error).toMatchObject({
        message: expect.stringMatching(
          /: \.\/server is there, but what runs it is not: its interpreter or its loader$/,
        ),
        details: { reason: 'failed' },
      });
    },
  );

  it('keeps the exit code of a command that ends at once', async () => {
    const world = await makeWorld();
    await world.start(service('api', { command: node('process.exit(7)') }));
    await world.ended('api');
    expect(await world.inspect('api')).toMatchObject({ status: 'exited', exitCode: 7 });
  });

  it('keeps the signal that ended a command', async () => {
    const world = await makeWorld();
    await world.start(service('api', { command: node(forever) }));
    process.kill(world.stateOf('api').child?.pid ?? 0, 'SIGKILL');
    await world.ended('api');
    expect(await world.inspect('api')).toMatchObject({ exitCode: 137, details: { signal: 'SIGKILL' } });
  });

  it('refuses a port that something else holds', async () => {
    const world = await makeWorld();
    const server = createServer();
    const taken = await new Promise<number>((resolve) => {
      server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port));
    });
    onTestFinished(() => void server.close());
    const error = await world
      .start(service('api', { command: node(forever), ports: [port(taken)] }))
      .catch((thrown) => thrown);
    expect(error.error).toMatchObject({
      code: 'PORT_CONFLICT',
      details: { service: 'api', port: taken, protocol: 'tcp' },
    });
    expect(await world.runtime.resources({ project: 'shop' }, world.signal)).toEqual([]);
  });

  it('refuses a service of the same run that runs already, and leaves that one alone', async () => {
    const world = await makeWorld();
    await world.start(service('api', { command: node(forever) }));
    const error = await world.start(service('api', { command: node(forever) })).catch((thrown) => thrown);
    expect(error.error).toMatchObject({ details: { reason: 'name-taken' } });
    expect(await world.inspect('api')).toMatchObject({ status: 'running' });
  });

  it('leaves nothing behind when it is cancelled on the way', async () => {
    const world = await makeWorld();
    const controller = new AbortController();
    const { signal } = controller;
    const started = world.runtime.start(
      service('api', { command: node(forever) }),
      'spec',
      world.context({ signal }),
    );
    await until(() => existsSync(world.records.folderOf('run-1', 'api')));
    controller.abort();
    await expect(started).rejects.toThrow(/abort/);
    expect(await world.runtime.resources({ project: 'shop' }, world.signal)).toEqual([]);
    expect(await readdir(world.base)).toEqual([]);
  });

  it('writes nothing of the environment to the disk, and nothing that others can read', async () => {
    const world = await makeWorld();
    await world.start(service('api', { command: node(forever), environment: { TOKEN: 'hunter2-and-more' } }));
    const folder = world.records.folderOf('run-1', 'api');
    for (const name of await readdir(folder)) {
      expect(await readFile(join(folder, name), 'utf8')).not.toContain('hunter2');
    }
  });
});

describe('starting a process again', () => {
  it('keeps its output and counts its restarts, with the keeper that it has', async () => {
    const world = await makeWorld();
    const api = service('api', { command: node('console.log("started"); process.exit(3)') });
    await world.start(api);
    await world.ended('api');
    const { keeper } = world.stateOf('api');
    await world.start(api);
    await world.ended('api');
    expect(world.stateOf('api').keeper).toEqual(keeper);
    expect(await world.inspect('api')).toMatchObject({ restarts: 1, exitCode: 3 });
    expect(await linesOf(world, 'api')).toEqual(['started', 'started']);
  });

  it('takes another keeper when the service has changed, and ends the old one', async () => {
    const world = await makeWorld();
    await world.start(service('api', { command: node('process.exit(3)') }));
    await world.ended('api');
    const { keeper } = world.stateOf('api');
    await world.runtime.start(service('api', { command: node(forever) }), 'another spec', world.context());
    expect(await world.inspect('api')).toMatchObject({
      status: 'running',
      restarts: 1,
      spec: 'another spec',
    });
    expect(world.stateOf('api').events.map(({ seq, type }) => `${seq} ${type}`)).toEqual([
      '1 started',
      '2 exited',
      '3 started',
    ]);
    expect(await processStart(keeper.pid)).not.toBe(keeper.start);
  });

  it('leaves nothing behind when the command has gone meanwhile', async () => {
    const world = await makeWorld();
    const { copyFile, rm } = await import('node:fs/promises');
    await copyFile('/bin/true', join(world.dir, 'tool'));
    const api = service('api', { command: './tool' });
    await world.start(api);
    await world.ended('api');
    await rm(join(world.dir, 'tool'));
    const error = await world.start(api).catch((thrown) => thrown);
    expect(error.error).toMatchObject({ details: { reason: 'command-missing' } });
    expect(await world.runtime.resources({ project: 'shop' }, world.signal)).toEqual([]);
  });
});

describe('what a command leaves running', () => {
  it('ends with it', async () => {
    const world = await makeWorld();
    const script = `
      const { spawn } = require('node:child_process');
      const child = spawn(process.execPath, ['-e', '${forever}'], { stdio: 'inherit' });
      console.log(child.pid);
      setTimeout(() => process.exit(5), 50);`;
    await world.start(service('api', { command: node(script) }));
    await world.ended('api');
    const [left] = await linesOf(world, 'api');
    expect(Number(left)).toBeGreaterThan(0);
    await until(async () => (await processStart(Number(left))) === undefined);
    expect(await world.inspect('api')).toMatchObject({ exitCode: 5 });
  });
});

describe('looking at processes', () => {
  it('finds nothing of a service that was never started', async () => {
    const world = await makeWorld();
    expect(await world.inspect('api')).toEqual({ service: 'api', status: 'missing' });
  });

  it('lists what runs of the project have made, and of no other', async () => {
    const world = await makeWorld();
    const { runtime, run, signal } = world;
    await world.start(service('api', { command: node(forever) }), service('job', { command: ['true'] }));
    const other = { ...run, id: 'run-2', project: 'other' };
    await runtime.start(service('api', { command: node(forever) }), 'spec', world.context({ run: other }));
    onTestFinished(async () => {
      await runtime.remove(await runtime.resources({ project: 'other' }, signal), { graceMs: 0, signal });
    });
    const listed = await runtime.resources({ project: 'shop' }, signal);
    expect(
      listed.map(({ id, type, name, worktree, store }) => [id, type, name, worktree, store]).sort(),
    ).toEqual([
      ['run-1/api', 'process', 'api', world.dir, run.store],
      ['run-1/job', 'process', 'job', world.dir, run.store],
    ]);
    expect(await runtime.resources({ project: 'shop', runId: 'run-2' }, signal)).toEqual([]);
    expect(await runtime.resources({ project: 'other', runId: 'run-2' }, signal)).toMatchObject([
      { runId: 'run-2' },
    ]);
  });
});

async function linesOf({ runtime, run, signal }: Awaited<ReturnType<typeof makeWorld>>, name: string) {
  const lines: string[] = [];
  for await (const { text } of runtime.logs(run, { services: [name], follow: false }, signal))
    lines.push(text);
  return lines;
}
