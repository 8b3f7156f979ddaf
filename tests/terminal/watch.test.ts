import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';
import { freePorts, processProject, serverOn } from '../environment/process-project.js';
import { runProject, script } from '../environment/run-project.js';
import { argusProgram } from '../support/run-command.js';
import { piped, steady, typed } from './recorded.js';

/** Ends the server of the fixtures from inside. */
async function crash(port: number): Promise<void> {
  await fetch(`http://127.0.0.1:${port}/crash`).catch(() => undefined);
}

describe.each([80, 120])('argus status --watch at a terminal of %i columns', (columns) => {
  it('shows each change in its place until Ctrl-C', async () => {
    const port = await freePorts(2);
    const services = { api: serverOn(port), web: serverOn(port + 1) };
    const project = await processProject({ services, plugins: ['@argusai/plugin-process'] });
    expect((await project.argus('setup')).code).toBe(0);
    const session = typed(project, columns, ['status', '--watch']);
    await session.shows('watching; Ctrl-C ends it');
    await crash(port);
    await session.shows('✗ api  exited');
    session.type('\x03');
    expect(await session.ended()).toBe(130);
    expect(steady(await session.screen(), port)).toBe(
      [
        '✗ api  exited   process  http://localhost:10000',
        '    exit code 3',
        '✓ web  healthy  process  http://localhost:10001',
        'not up: 1 of 2 services is down; argus logs --service api, argus setup',
      ].join('\n'),
    );
    expect(await session.broken()).toEqual([]);
    expect(session.written().lastIndexOf('\x1b[?25h')).toBeGreaterThan(
      session.written().lastIndexOf('\x1b[?25l'),
    );
  });
});

describe('argus status --watch at a terminal that is made narrower', () => {
  it('fits its lines to it at once', async () => {
    const port = await freePorts(1);
    const project = await processProject({
      services: { api: serverOn(port) },
      plugins: ['@argusai/plugin-process'],
    });
    expect((await project.argus('setup')).code).toBe(0);
    const session = typed(project, 80, ['status', '--watch']);
    await session.shows('watching; Ctrl-C ends it');
    await crash(port);
    await session.shows('argus logs --service api, argus setup');
    session.resize(50, 20);
    await session.shows('not up: 1 of 1 service is down; argus logs\n  --service api, argus setup\n');
    expect(await session.broken()).toEqual([]);
    session.type('\x03');
    expect(await session.ended()).toBe(130);
  });
});

describe('argus logs', () => {
  it('has a colour for each service and names one below the other at a terminal, and neither elsewhere', async () => {
    const port = await freePorts(2);
    const services = { api: serverOn(port), storage: serverOn(port + 1) };
    const project = await processProject({ services, plugins: ['@argusai/plugin-process'] });
    expect((await project.argus('setup')).code).toBe(0);
    const session = typed(project, 80, ['logs'], { NO_COLOR: '' });
    expect(await session.ended()).toBe(0);
    const lines = (await session.screen()).split('\n');
    expect(lines).toContain(`api     | listens on ${port}`);
    expect(lines).toContain(`storage | listens on ${port + 1}`);
    expect(session.written()).toContain('\x1b[36mapi     \x1b[39m\x1b[36m|\x1b[39m listens');
    expect(session.written()).toContain('\x1b[33mstorage \x1b[39m\x1b[31m|\x1b[39m complains');
    const plain = typed(project, 80, ['logs', '--service', 'api']);
    expect(await plain.ended()).toBe(0);
    expect(plain.written()).not.toContain('\x1b');
    expect((await piped(project, 'logs')).stdout).toContain(`api | listens on ${port}\n`);
  });
});

describe('argus status --watch without a terminal', () => {
  it('prints a block for each change, or a line for programs, until it is ended', async () => {
    const project = await runProject([], { plugins: ['@argusai/plugin-process'] });
    expect((await project.argus('setup')).code).toBe(0);
    const telling = project.start('status', '--watch');
    await telling.until(({ type }) => type === 'status_changed');
    const { child, ended } = project.launch('status', '--watch');
    let text = '';
    child.stdout?.on('data', (chunk) => {
      text += chunk;
    });
    const prints = async (part: string) => {
      while (!text.includes(part)) await once(child.stdout ?? child, 'data');
    };
    await prints('up: run');
    expect((await project.argus('clean')).code).toBe(0);
    const isDown = (event: object) => 'data' in event && (event.data as { run?: unknown }).run === null;
    await telling.until((event) => event.type === 'status_changed' && isDown(event));
    telling.child.kill('SIGINT');
    expect(await telling.ended).toMatchObject({ code: 130, result: { ok: true, data: { run: null } } });
    await prints('down: nothing');
    child.kill('SIGINT');
    const { code, out, err } = await ended;
    expect([code, err]).toEqual([130, '']);
    const blocks = steady(out.toString(), project.port).split('\n\n');
    expect(blocks[0]).toBe(
      'api  running  healthy  process  http://localhost:10000\nup: run RUN, stays for 1d',
    );
    expect(blocks.at(-2)).toContain('\ndown: nothing runs here; argus setup brings it up');
    expect(blocks.at(-1)).toBe('');
  });

  it('is refused where there has to be one document', async () => {
    const project = await runProject([]);
    const { code, error } = await project.argus('status', '--watch');
    expect([code, error.code]).toEqual([2, 'USAGE_INVALID']);
    expect(error.message).toContain('use --format ndjson');
  });
});

describe.each([
  ['logs', '--follow'],
  ['status', '--watch'],
])('argus %s %s whose reader has gone', (...args) => {
  it.each(['pretty', 'ndjson'])('ends at what it would say next, as %s, and that is fine', async (format) => {
    const talk = 'setInterval(() => console.log("tick"), 50)';
    const services = { api: { command: script(talk) } };
    const project = await runProject([], { services, plugins: ['@argusai/plugin-process'] });
    expect((await project.argus('setup')).code).toBe(0);
    const { child, ended } = project.launch(...args, '--format', format);
    await once(child.stdout ?? child, 'data');
    child.stdout?.destroy();
    expect((await project.argus('clean')).code).toBe(0);
    const { code, err } = await ended;
    expect([code, err]).toEqual([0, '']);
  });

  it.each(['pretty', 'ndjson'])(
    'ends soon where nothing happens any more, as %s, and that is fine',
    async (format) => {
      const talk = 'console.log("once"); setInterval(() => undefined, 60_000)';
      const services = { api: { command: script(talk) } };
      const project = await runProject([], { services, plugins: ['@argusai/plugin-process'] });
      expect((await project.argus('setup')).code).toBe(0);
      const { child, ended } = project.launch(...args, '--format', format);
      await once(child.stdout ?? child, 'data');
      child.stdout?.destroy();
      const { code, err } = await ended;
      expect([code, err]).toEqual([0, '']);

      // What a shell makes is a pipe, and not the socket of above.
      const words = [process.execPath, argusProgram, ...args, '--format', format];
      const line = `${words.map((word) => `'${word}'`).join(' ')} | head -n 1`;
      const env = { ...process.env, ARGUS_STATE_DIR: project.state };
      const shell = spawn('sh', ['-c', line], { cwd: project.dir, env, stdio: 'pipe' });
      onTestFinished(() => void shell.kill('SIGKILL'));
      let said = '';
      for (const stream of [shell.stdout, shell.stderr])
        stream.on('data', (chunk) => {
          said += chunk;
        });
      expect(await once(shell, 'close')).toEqual([0, null]);
      expect(said.trimEnd().split('\n')).toHaveLength(1);
    },
  );
});
