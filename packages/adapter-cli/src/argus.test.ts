import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { outputUnwritable } from '@argusai/core';
import { describe, expect, it } from 'vitest';
import { demoProject } from './fixtures/demo-project.js';

// These start the program as it was built, because what they are about only shows in a process of its own.
const argus = fileURLToPath(new URL('../dist/argus.js', import.meta.url));
const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

/** The version in the manifest of one of our packages. */
const versionOf = (name: string): string =>
  JSON.parse(readFileSync(new URL(`../../${name}/package.json`, import.meta.url), 'utf8')).version;

const run = (args: string, options: object = {}) => {
  const { dir, env } = demoProject(options);
  const { status, stdout, stderr } = spawnSync(process.execPath, [argus, ...args.split(' ')], {
    cwd: dir,
    env,
    encoding: 'utf8',
    maxBuffer: 64_000_000,
  });
  return { code: status, out: stdout, err: stderr };
};

const start = (args: string, options: object): ChildProcessWithoutNullStreams => {
  const { dir, env } = demoProject(options);
  return spawn(process.execPath, [argus, ...args.split(' ')], { cwd: dir, env });
};

const textOf = async (stream: NodeJS.ReadableStream): Promise<string> => {
  let text = '';
  for await (const chunk of stream) text += chunk;
  return text;
};

const lostWords = [
  'error: what was printed could not be written',
  `code: ${outputUnwritable.code}`,
  'next: make room where it goes, or send it elsewhere, and try again',
  '',
].join('\n');

it('has been built', () => {
  expect(existsSync(argus), 'build it first: npm run build').toBe(true);
});

describe('the program', () => {
  it.each(['--version', '-V', '--version --no-color'])('tells its version: %s', (args) => {
    expect(run(args)).toEqual({ code: 0, out: `${manifest.version}\n`, err: '' });
  });

  it.skipIf(!existsSync('/dev/full'))('says that its version could not be written, and what to do', () => {
    const full = openSync('/dev/full', 'w');
    const { status, stderr } = spawnSync(process.execPath, [argus, '--version'], {
      stdio: ['ignore', full, 'pipe'],
      encoding: 'utf8',
    });
    closeSync(full);
    expect([status, stderr]).toEqual([1, lostWords]);
  });

  it('does not mind when nobody waits for its version', async () => {
    const program = start('--version', {});
    program.stdout.destroy();
    const [err, [code]] = await Promise.all([textOf(program.stderr), once(program, 'exit')]);
    expect([code, err]).toEqual([0, '']);
  });

  it('runs a TypeScript plugin of the project, twice with the same result', () => {
    const { dir, env } = demoProject({ checks: ['good'] });
    const check = () => spawnSync(process.execPath, [argus, 'check'], { cwd: dir, env, encoding: 'utf8' });
    expect([check().stdout, check().stdout]).toEqual([
      expect.stringContaining('healthy: 1 check passed'),
      expect.stringContaining('healthy: 1 check passed'),
    ]);
  });

  it('compiles again what was kept and is damaged', () => {
    const { dir, env } = demoProject({ checks: ['good'] });
    const cache = join(dir, 'cache');
    const check = () =>
      spawnSync(process.execPath, [argus, 'check'], {
        cwd: dir,
        env: { ...env, XDG_CACHE_HOME: cache },
        encoding: 'utf8',
      });
    check();
    const [name = ''] = readdirSync(join(cache, 'argus'));
    const kept = join(cache, 'argus', name);
    writeFileSync(kept, 'rubbish');
    expect(check()).toMatchObject({ status: 0, stderr: '' });
    expect(statSync(kept).size).toBeGreaterThan(100_000);
  });

  it('says at once that a configuration waits for what can never come', () => {
    const { dir, env } = demoProject();
    rmSync(join(dir, 'argus.config.json'));
    writeFileSync(join(dir, 'argus.config.mjs'), 'await new Promise(() => {});\nexport default {};');
    const check = (...args: string[]) =>
      spawnSync(process.execPath, [argus, 'check', ...args], { cwd: dir, env, encoding: 'utf8' });
    expect(check()).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(
        /cannot be loaded: it waits for an answer that can never come\ncode: CONFIG_INVALID\n/,
      ),
    });
    const json = check('--format', 'json');
    expect(JSON.parse(json.stdout)).toMatchObject({ ok: false, error: { code: 'CONFIG_INVALID' } });
    expect(json.status).toBe(2);
  });

  it('does not end in silence when a configuration ends the process', () => {
    const { dir, env } = demoProject();
    rmSync(join(dir, 'argus.config.json'));
    writeFileSync(join(dir, 'argus.config.mjs'), 'process.exit(0);');
    const check = (...args: string[]) =>
      spawnSync(process.execPath, [argus, 'check', ...args], { cwd: dir, env, encoding: 'utf8' });
    const pretty = check();
    expect(pretty.stderr).toContain('ended the process before the work was done');
    expect(pretty.stderr).toContain(`\nreport: ${join(dir, 'state', 'reports')}`);
    expect(pretty.status).toBe(1);
    const json = check('--format', 'json');
    expect(JSON.parse(json.stdout)).toMatchObject({ ok: false, error: { code: 'INTERNAL_ERROR' } });
    expect(json.status).toBe(1);
  });

  it.each([['check'], ['status'], ['help'], ['mcp'], ['mcp install']])(
    'refuses in a folder that is gone, and says so: %s',
    (args) => {
      const { dir, env } = demoProject({ checks: ['good'] });
      const gone = join(dir, 'gone');
      const started = (...more: string[]) => {
        mkdirSync(gone);
        // A shell stays in a folder that is removed under it, and starts what it is told to there.
        const script = 'rmdir "$PWD"; exec "$@"';
        return spawnSync(
          '/bin/sh',
          ['-c', script, 'sh', process.execPath, argus, ...args.split(' '), ...more],
          {
            cwd: gone,
            env,
            encoding: 'utf8',
            input: '',
          },
        );
      };
      const pretty = started();
      expect(pretty.stderr).toMatch(
        /^error: The folder .* is not there any more\ncode: USAGE_INVALID\nnext: /,
      );
      expect(pretty).toMatchObject({ status: 2, stdout: '' });
      if (args.startsWith('mcp')) return;
      const json = started('--format', 'json');
      expect(JSON.parse(json.stdout)).toMatchObject({ ok: false, error: { code: 'USAGE_INVALID' } });
      expect(json.status).toBe(2);
    },
  );

  it('says so when what it prints cannot be written', () => {
    const { dir, env } = demoProject({ checks: ['good'] });
    const full = openSync('/dev/full', 'w');
    const { status, stderr } = spawnSync(process.execPath, [argus, 'check', '--format', 'json'], {
      cwd: dir,
      env,
      encoding: 'utf8',
      stdio: ['ignore', full, 'pipe'],
    });
    closeSync(full);
    expect([status, stderr]).toEqual([1, lostWords]);
  });

  it.each([
    ['check', { checks: ['good'] }, 0, true],
    ['check', { checks: ['bad'] }, 1, true],
    ['check', { checks: ['broken'] }, 3, true],
    ['check', { throws: true }, 2, 'PLUGIN_INVALID'],
    ['check', { chekcs: [] }, 2, 'CONFIG_INVALID'],
    ['chekc', {}, 2, 'USAGE_INVALID'],
    ['check --nonsense', {}, 2, 'USAGE_INVALID'],
    ['demo-explode', {}, 1, 'INTERNAL_ERROR'],
  ])('prints one envelope and exits as promised: %s %j', (args, options, code, expected) => {
    const result = run(`${args} --format json`, options);
    expect(result.code).toBe(code);
    const envelope = JSON.parse(result.out);
    expect(envelope.ok ? envelope.ok : envelope.error.code).toBe(expected);
  });

  it('explains a code, in whatever case it is typed', () => {
    const { code, out } = run('explain port_conflict');
    expect(code).toBe(0);
    expect(out).toMatch(/^PORT_CONFLICT: A port that a service asks for is taken\n/);
    expect(out).toContain('\nwhat to type:\n  argus setup\n');
    expect(out).toContain('in the docs: errors/PORT_CONFLICT.md\n');
  });

  it('names the nearest code when there is none of that name, and exits with 2', () => {
    const { code, err } = run('explain DEMO_LO');
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining('did you mean DEMO_LOW?') });
  });

  it('lists the plugin of the project with its file and options', () => {
    const { code, out } = run('plugins --format json', { checks: ['good'] });
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      data: {
        plugins: [
          { name: 'core', from: 'core', version: versionOf('core') },
          {
            name: 'demo',
            from: 'file',
            path: expect.stringMatching(/plugin\.ts$/),
            options: { checks: ['good'] },
          },
        ],
      },
    });
  });

  it('lists what came along with the versions of the packages that it was bundled from', () => {
    const { dir, env } = demoProject();
    rmSync(join(dir, 'argus.config.json'));
    const list = (...args: string[]) =>
      spawnSync(process.execPath, [argus, 'plugins', ...args], { cwd: dir, env, encoding: 'utf8' }).stdout;
    const names = ['docker', 'process', 'disk', 'ports', 'network', 'orphans'];
    const { plugins } = JSON.parse(list('--format', 'json')).data;
    expect(plugins.map(({ name, from, version }: Record<string, string>) => [name, from, version])).toEqual([
      ['core', 'core', versionOf('core')],
      ...names.map((name) => [name, 'built-in', versionOf(`plugin-${name}`)]),
    ]);
    const shown = list().split('\n');
    expect(shown).toContain(`core ${versionOf('core')}  part of argus`);
    expect(shown).toContain(`docker ${versionOf('plugin-docker')}  built-in`);
  });

  it('shows the configuration with its lines, and a broken one as every command does', () => {
    const { code, out } = run('config --only project');
    expect({ code, out }).toEqual({
      code: 0,
      out: expect.stringMatching(/^# .*\nproject:\n {2}name: demo +argus\.config\.json:1\n$/),
    });
    expect(run('config', { chekcs: [] })).toMatchObject({
      code: 2,
      err: expect.stringContaining('CONFIG_INVALID'),
    });
  });

  it('shows the defaults where there is no configuration', () => {
    const { dir, env } = demoProject();
    rmSync(join(dir, 'argus.config.json'));
    const { stdout } = spawnSync(process.execPath, [argus, 'config'], { cwd: dir, env, encoding: 'utf8' });
    expect(stdout).toMatch(/^# There is no configuration file; these are the defaults\n/);
    expect(stdout).toMatch(/\n {2}autonomy: moderate +default\n/);
  });

  it('tells what it has found although something crashes meanwhile, and does not call it fine', () => {
    const { code, out, err } = run('check --timeout 2s --format json', { checks: ['crash', 'slow', 'good'] });
    expect(JSON.parse(out)).toMatchObject({
      ok: true,
      data: {
        overall: 'degraded',
        checks: [{ status: 'unknown' }, { status: 'pass' }, { status: 'pass' }],
        notices: [{ code: 'INTERNAL_ERROR', details: { report: expect.stringMatching(/\.txt$/) } }],
      },
    });
    expect(err).toMatch(/^error: crashed far away\ncode: INTERNAL_ERROR\nreport: \/.*\.txt\n$/);
    expect(code).toBe(3);
  });

  it('tells what a plugin left unhandled, with its code and one report, and goes on', () => {
    const { code, out, err } = run('check --format json', { checks: ['slip', 'slow'] });
    expect(JSON.parse(out)).toMatchObject({ ok: true, data: { overall: 'healthy', notices: [] } });
    const next = 'next: this is a defect in argus or in a plugin; ';
    const debug = 'run it again with --debug to see where';
    const [, report = ''] = /\nreport: (\/.*\.txt)\n/.exec(err) ?? [];
    expect(err.split('\n')).toEqual([
      'warning: left unhandled by a plugin: slipped',
      'code: INTERNAL_ERROR',
      `report: ${report}`,
      `${next}look into the report, or ${debug}`,
      'warning: left unhandled by a plugin: slipped again',
      'code: INTERNAL_ERROR',
      `${next}${debug}`,
      '',
    ]);
    expect(code).toBe(0);
    expect(run('check --debug', { checks: ['slip', 'slow'] }).err).toContain('Error: slipped\n    at ');
  });

  it('says shortly that it has crashed and where the report is, and with --debug where it happened', () => {
    const { dir, env } = demoProject({ checks: ['good'] });
    const explode = (...args: string[]) =>
      spawnSync(process.execPath, [argus, 'demo-explode', ...args], { cwd: dir, env, encoding: 'utf8' });
    const { status, stdout, stderr } = explode();
    const [error, code, report = '', next, ...more] = stderr.split('\n');
    expect({ status, stdout, error, code, more }).toEqual({
      status: 1,
      stdout: '',
      error: 'error: boom',
      code: 'code: INTERNAL_ERROR',
      more: [''],
    });
    expect(next).toMatch(/^next: this is a defect in argus or in a plugin; look into the report/);
    const file = report.replace('report: ', '');
    expect(file.startsWith(join(dir, 'state', 'reports'))).toBe(true);
    expect(readFileSync(file, 'utf8')).toMatch(
      /\ncommand: argus demo-explode\n[\s\S]*\nplugins: core \(core\), demo \([\s\S]*\nError: boom\n {4}at .*plugin\.ts/,
    );
    expect(explode('--debug').stderr).toMatch(/\nError: boom\n {4}at .*plugin\.ts/);
  });

  it('keeps what plugins print out of stdout when that is for programs', () => {
    const { out, err } = run('check --format json', { checks: ['noisy'] });
    expect(JSON.parse(out)).toMatchObject({ ok: true });
    expect(err).toBe('noise from a plugin\nmore noise\n');
  });

  it('writes everything to a reader who takes his time', async () => {
    const child = start('check --format json', { checks: ['huge'] });
    await delay(500);
    const text = await textOf(child.stdout);
    expect(JSON.parse(text).data.checks[0].details.text).toHaveLength(3_000_000);
  });

  it('does not mind a reader who goes away', async () => {
    const child = start('check --format json', { checks: ['huge'] });
    await once(child.stdout, 'data');
    child.stdout.destroy();
    const [[code], err] = await Promise.all([once(child, 'exit'), textOf(child.stderr)]);
    expect({ code, err }).toEqual({ code: 0, err: '' });
  });
});

describe('a signal', () => {
  const started = async (args: string) => {
    const child = start(`${args} --format ndjson`, { checks: ['stubborn'] });
    await once(child.stdout, 'data');
    return child;
  };

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('%s ends a check that ignores it, with %i and CANCELLED', async (signal, expected) => {
    const child = await started('check');
    child.kill(signal);
    const [[code], text] = await Promise.all([once(child, 'exit'), textOf(child.stdout)]);
    expect(code).toBe(expected);
    expect(JSON.parse(text.trimEnd().split('\n').at(-1) ?? '')).toMatchObject({
      type: 'result',
      ok: false,
      error: { code: 'CANCELLED' },
    });
  });

  it('ends the program although nobody reads what it has to say', async () => {
    const child = start('check --format json', { checks: ['huge'] });
    // It has begun to write, and there is room in between for a small part only.
    await once(child.stdout, 'readable');
    child.kill('SIGINT');
    const [code, signal] = await once(child, 'exit');
    expect({ code, signal }).toEqual({ code: 130, signal: null });
  });
});

describe('a terminal', () => {
  it('shows the list live and gets its cursor back', () => {
    const { dir, env } = demoProject({ checks: ['good', 'slow'] });
    const { stdout } = spawnSync('script', ['-qec', `'${process.execPath}' '${argus}' check`, '/dev/null'], {
      cwd: dir,
      env: { ...env, TERM: 'xterm-256color' },
      encoding: 'utf8',
    });
    expect(stdout).toContain('\x1b[?25l');
    expect(stdout).toContain('demo.slow');
    expect(stdout).toContain('waiting for demo.slow');
    expect(stdout.lastIndexOf('\x1b[?25h')).toBeGreaterThan(stdout.lastIndexOf('\x1b[?25l'));
    expect(stdout).toContain(': 2 checks passed in');
  });

  it('gets its cursor back from a check that was interrupted', async () => {
    const { dir, env } = demoProject({ checks: ['stubborn'] });
    // The shell gets the signal as well, and must live to say how the program ended.
    const command = `trap : INT; '${process.execPath}' '${argus}' check; echo "ended with $?"`;
    const child = spawn('script', ['-qec', command, join(dir, 'typescript')], {
      cwd: dir,
      env: { ...env, TERM: 'xterm', SHELL: '/bin/sh' },
    });
    let text = '';
    child.stdout.on('data', (chunk) => {
      text += chunk;
      if (text.includes('demo.stubborn') && !child.stdin.writableEnded) child.stdin.end('\x03');
    });
    await once(child, 'exit');
    expect(text.lastIndexOf('\x1b[?25h')).toBeGreaterThan(text.lastIndexOf('\x1b[?25l'));
    expect(text).toContain('CANCELLED');
    expect(text).toContain('ended with 130');
  });
});
