import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from './fixtures/demo-project.js';

const argus = fileURLToPath(new URL('../dist/argus.js', import.meta.url));

/** A number without a name, as containers are often run under: the system knows no home folder of it. */
const nameless = 12_345;
const mayBecome = process.getuid?.() === 0 && existsSync('/proc');

function folder(): string {
  const dir = temporaryFolder();
  if (mayBecome) chownSync(dir, nameless, nameless);
  writeFileSync(join(dir, 'argus.config.yaml'), 'project: { name: shop }\n');
  return dir;
}

/** A folder of that user alone. */
function stateFolder(): string {
  const dir = folder();
  chmodSync(dir, 0o700);
  chownSync(dir, nameless, nameless);
  return dir;
}

function run(args: string, env: Record<string, string> = {}, cwd = folder()) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [argus, ...args.split(' ')], {
    cwd,
    env: { PATH: process.env.PATH ?? '', ...env },
    uid: nameless,
    gid: nameless,
    encoding: 'utf8',
  });
  return { code: status, out: stdout, err: stderr };
}

describe.skipIf(!mayBecome)('a user without a home folder', () => {
  it.each(['run -- false', 'check', 'setup', 'clean', 'status'])(
    'is told what to set, and nothing passes: %s',
    (args) => {
      const { code, out, err } = run(args);
      expect([code, out]).toEqual([1, '']);
      expect(err).toContain('code: STORE_UNAVAILABLE\n');
      expect(err).toContain('next: Set ARGUS_STATE_DIR, or HOME, to a folder');
    },
  );

  it.each([
    ['json', 1, /^\{"ok":false,"error":\{"code":"STORE_UNAVAILABLE"/],
    ['ndjson', 1, /STORE_UNAVAILABLE/],
    ['junit', 1, /<error [^>]*STORE_UNAVAILABLE/],
    ['github', 1, /STORE_UNAVAILABLE/],
    ['nagios', 3, /UNKNOWN.*no home folder/],
    ['health', 1, /STORE_UNAVAILABLE/],
  ])('is told so in every format: %s', (format, exitCode, told) => {
    const { code, out } = run(`check --format ${format}`);
    expect(code).toBe(exitCode);
    expect(out.replace(/\s+/g, ' ').replace(/(?<=[{[,:"]) | (?=[}\]"])/g, '')).toMatch(told);
  });

  it('can do everything once the folder of the state is named', () => {
    const state = stateFolder();
    expect(run('check --only disk.space', { ARGUS_STATE_DIR: state })).toMatchObject({ code: 0, err: '' });
    expect(run('run -- false', { ARGUS_STATE_DIR: state }).err).not.toMatch(/STORE_UNAVAILABLE|INTERNAL/);
  });
});

describe.skipIf(!mayBecome)('what is started for a user without a home folder', () => {
  it('is given none that argus has made up', () => {
    const cwd = folder();
    const spy = join(cwd, 'spy.mjs');
    // Whoever sets it for a moment lets those inherit it who are started in that moment.
    writeFileSync(
      spy,
      `process.env = new Proxy(process.env, { set(env, name, value) { if (name === 'HOME') console.error('HOME was set'); env[name] = value; return true; } });
process.env.HOME = ''; delete process.env.HOME; console.error('watched');`,
    );
    const env = { ARGUS_STATE_DIR: stateFolder(), NODE_OPTIONS: `--import ${spy}` };
    const { code, err } = run('check --only disk.space', env, cwd);
    expect([code, err.trim().split('\n')]).toEqual([0, ['HOME was set', 'watched']]);
  });
});

describe('a HOME or an XDG folder that says nothing', () => {
  it.skipIf(process.platform === 'win32').each([
    ['an empty HOME', { HOME: '', ARGUS_STATE_DIR: '' }],
    ['relative folders', { XDG_STATE_HOME: 'rel', XDG_CACHE_HOME: 'rel', HOME: 'rel' }],
  ])('leaves nothing in the folder of the project: %s', (_, env) => {
    const dir = folder();
    const { stdout, stderr } = spawnSync(process.execPath, [argus, 'check', '--only', 'disk.space'], {
      cwd: dir,
      env: { PATH: process.env.PATH ?? '', ...env },
      encoding: 'utf8',
    });
    expect(stderr + stdout).not.toMatch(/INTERNAL_ERROR|STORE_UNAVAILABLE/);
    expect(readdirSync(dir)).toEqual(['argus.config.yaml']);
  });
});
