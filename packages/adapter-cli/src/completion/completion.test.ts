import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { createSqliteStore } from '@argusai/store-sqlite';
import { describe, expect, it } from 'vitest';
import { hasShell, shellProject, typeInto } from '../fixtures/shell-project.js';
import { testIo } from '../fixtures/test-io.js';
import { main } from '../main.js';

const scripts = new Map<string, string>();

/** A project with the script of a shell beside it, which the program makes once: it is the same in all of them. */
function withScript(shell: string) {
  const project = shellProject();
  const { dir, env } = project;
  const script =
    scripts.get(shell) ?? spawnSync('argus', ['completion', shell], { cwd: dir, env }).stdout.toString();
  scripts.set(shell, script);
  writeFileSync(join(dir, 'script'), script);
  return project;
}

/** Puts records of runs into the store of a project, oldest first. */
async function recordRuns({ dir }: Pick<ReturnType<typeof shellProject>, 'dir'>, ids: readonly string[]) {
  const store = createSqliteStore({ dir: join(dir, 'state') });
  for (const [createdAt, id] of ids.entries())
    await store.put('runs', id, { id, project: basename(dir), createdAt });
  await store.close();
}

/** What bash would insert for a line with the cursor at its end: it parts words at spaces, = and :. */
function inBash(line: string, { dir, env } = withScript('bash'), source = './script') {
  const words = line.split(/\s+|(?=[=:])|(?<=[=:])/);
  const script = `set -u; source ${source}; COMP_WORDS=("$@"); COMP_CWORD=${words.length - 1}
    _argus; printf '%s\\n' "\${COMPREPLY[@]-}"`;
  const { stdout, stderr } = spawnSync('bash', ['--norc', '-c', script, 'bash', ...words], {
    cwd: dir,
    env,
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  return stdout.split('\n').filter((one) => one !== '');
}

/** What fish would offer. */
function inFish(line: string, { dir, env } = withScript('fish')) {
  const script = 'source ./script; complete -C $argv[1]';
  const { stdout, stderr } = spawnSync('fish', ['--no-config', '-c', script, line], {
    cwd: dir,
    env,
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  const offered = stdout.split('\n').filter((one) => one !== '');
  return offered.map((one) => one.replace(/\t.*/, '')).toSorted();
}

describe('in bash', () => {
  it.each([
    ['argus sta', ['status']],
    ['argus clean', ['clean', 'clean-foreign']],
    // A plugin of the project, which completing runs nothing of.
    ['argus demo', []],
    ['argus fault ', ['list', 'inject']],
    ['argus fault i', ['inject']],
    ['argus fault inject k', ['kill-service']],
    ['argus fault inject kill-service --se', ['--service']],
    ['argus --project . fault inject kill-service --service a', ['api']],
    ['argus reset', ['reset-circuit']],
    ['argus reset ', ['circuit']],
    ['argus reset circuit ', ['docker']],
    ['argus run fault ', ['smoke', expect.any(String), expect.any(String)]],
    ['argus explain DISK', ['DISK_SPACE_LOW', 'DISK_INODES_LOW']],
    ['argus explain disk.s', ['disk.space']],
    ['argus explain DISK_SPACE_LOW ', []],
    ['argus config --only serv', ['services', 'services.api', 'services.db']],
    ['argus status --w', ['--watch']],
    ['argus --format js', ['json']],
    ['argus check --format=', ['pretty', 'json', 'ndjson', 'junit', 'github', 'nagios', 'health']],
    ['argus preflight-check --format ju', ['junit']],
    ['argus status --format ', ['pretty', 'json', 'ndjson']],
    ['argus check --format=nd', ['ndjson']],
    ['argus check --fail-on ', ['fail', 'warn']],
    ['argus preflight-check --fail-on w', ['warn']],
    ['argus check --fa', ['--fail-on']],
    ['argus setup --no-', ['--no-color', '--no-build']],
    ['argus --project . check --only disk.', ['disk.space', 'disk.inodes']],
    ['argus check --only disk.inodes,disk.s', ['disk.inodes,disk.space']],
    ['argus check --only=disk.inodes,disk.s', ['disk.inodes,disk.space']],
    ['argus logs --service ', ['api', 'db', 'pay']],
    ['argus reset-circuit ', ['docker']],
    ['argus reset-circuit docker ', []],
    ['argus run smoke s', ['smoke']],
    ['argus run test:e', ['e2e']],
    ['argus fault-inject k', ['kill-service']],
    ['argus completion ', ['bash', 'zsh', 'fish']],
    ['argus help sta', ['status']],
    ['argus check --timeout ', []],
    ['argus check ', []],
    ['argus run -- tru', expect.arrayContaining(['true'])],
    ['argus run -- cat argus.c', ['argus.config.json']],
    ['argus check --config argus.c', ['argus.config.json']],
    ['argus check --project b', ['bin']],
  ])('completes %j', (line, expected) => {
    expect(inBash(line)).toEqual(expected);
  });

  it('offers a name that a shell would run so that it is only a name', () => {
    const project = withScript('bash');
    expect(inBash('argus run $', project)).toEqual(['\\$\\(touch\\ hacked\\)']);
    expect(existsSync(join(project.dir, 'hacked'))).toBe(false);
  });

  it('offers the runs of the project, the newest first', async () => {
    const project = withScript('bash');
    await recordRuns(project, ['r1', 'r2']);
    expect(inBash('argus guard --run ', project)).toEqual(['r2', 'r1']);
  });

  it('asks the project that the line names', () => {
    const project = withScript('bash');
    mkdirSync(join(project.dir, 'other'));
    writeFileSync(join(project.dir, 'other', 'e2e.yaml'), 'services: { cart: { command: sleep 1 } }\n');
    expect(inBash('argus logs --project other --service ', project)).toEqual(['cart']);
    expect(inBash('argus logs --config other/e2e.yaml --service ', project)).toEqual(['cart']);
  });

  it('has the commands of argus itself where the configuration is broken, and offers no names, in silence', () => {
    const project = shellProject();
    writeFileSync(join(project.dir, 'argus.config.json'), '{ "projct": 1 }');
    const fresh = '<(argus completion bash)';
    expect(inBash('argus sta', project, fresh)).toEqual(['status']);
    expect(inBash('argus logs --service ', project, fresh)).toEqual([]);
  });

  it('completes what is typed', async () => {
    const project = shellProject();
    writeFileSync(join(project.dir, 'rc'), "PS1='READY '; source <(argus completion bash)\n");
    const keys = 'argus che\t--form\tjs\t--only=disk.s\t';
    const screen = await typeInto(`bash --noprofile --rcfile rc -i`, keys, project);
    expect(project.told(), screen).toEqual(['check', '--format', 'json', '--only=disk.space']);
  });
});

describe.skipIf(!hasShell('zsh'))('in zsh (skipped where it is not installed)', () => {
  const rc = "PS1='READY '; autoload -Uz compinit && compinit -u -D; source <(argus completion zsh)\n";

  it.each([
    ['argus che\t--form\tjs\t--only=disk.s\t', ['check', '--format', 'json', '--only=disk.space']],
    [
      'argus check --only disk.inodes,disk.s\t--fail\tw\t',
      ['check', '--only', 'disk.inodes,disk.space', '--fail-on', 'warn'],
    ],
    ['argus explain DISK_S\t', ['explain', 'DISK_SPACE_LOW']],
    ['argus logs --serv\tap\t', ['logs', '--service', 'api']],
    ['argus reset-c\tdo\t', ['reset-circuit', 'docker']],
    ['argus fault in\tkill\t--serv\tap\t', ['fault', 'inject', 'kill-service', '--service', 'api']],
    ['argus check --format ju\t', ['check', '--format', 'junit']],
    ['argus run test\t', ['run', 'test:e2e']],
    ['argus run -- cat argus.c\t', ['run', '--', 'cat', 'argus.config.json']],
  ])('completes %j', async (keys, expected) => {
    const project = shellProject();
    writeFileSync(join(project.dir, '.zshrc'), rc);
    const env = { ...project.env, ZDOTDIR: project.dir };
    const screen = await typeInto('zsh -d -i', keys, { ...project, env });
    expect(project.told(), screen).toEqual(expected);
  });

  it('completes a run', async () => {
    const project = shellProject();
    await recordRuns(project, ['mwiw34']);
    writeFileSync(join(project.dir, '.zshrc'), rc);
    const env = { ...project.env, ZDOTDIR: project.dir };
    const screen = await typeInto('zsh -d -i', 'argus guard --ru\tmw\t', { ...project, env });
    expect(project.told(), screen).toEqual(['guard', '--run', 'mwiw34']);
  });
});

describe.skipIf(!hasShell('fish'))('in fish (skipped where it is not installed)', () => {
  it.each([
    ['argus sta', ['status']],
    ['argus clean', ['clean', 'clean-foreign']],
    ['argus fault ', ['inject', 'list']],
    ['argus fault inject k', ['kill-service']],
    ['argus explain disk.s', ['disk.space']],
    ['argus config --only services.', ['services.api', 'services.db']],
    ['argus check --format=ju', ['--format=junit']],
    ['argus --format js', ['json']],
    ['argus check --format=nd', ['--format=ndjson']],
    ['argus check --fail-on ', ['fail', 'warn']],
    ['argus preflight-check --fa', ['--fail-on']],
    ['argus setup --no-', ['--no-build', '--no-color']],
    ['argus --project . check --only disk.', ['disk.inodes', 'disk.space']],
    ['argus check --only disk.inodes,disk.s', ['disk.inodes,disk.space']],
    ['argus logs --service ', ['api', 'db', 'pay']],
    ['argus reset-circuit ', ['docker']],
    ['argus run sm', ['smoke']],
    ['argus check ', []],
    ['argus completion ', ['bash', 'fish', 'zsh']],
    ['argus run -- cat argus.c', ['argus.config.json']],
    ['argus check --config argus.c', ['argus.config.json']],
  ])('completes %j', (line, expected) => {
    expect(inFish(line)).toEqual(expected);
  });

  it('completes a run', async () => {
    const project = withScript('fish');
    await recordRuns(project, ['r1', 'r2']);
    expect(inFish('argus guard --run ', project)).toEqual(['r1', 'r2']);
  });
});

describe('argus completion', () => {
  const run = async (args: string) => {
    const { dir, env } = shellProject();
    const io = testIo({ cwd: dir, env });
    const code = await main(
      args.split(' ').filter((word) => word !== ''),
      io,
    );
    return { code, out: io.stdout.text, err: io.stderr.text };
  };

  it.each([
    ['completion', 'argus completion needs a shell: bash, zsh, fish'],
    ['completion bsh', 'There is no completion for bsh; did you mean bash?'],
    ['completion powershell', 'There is no completion for powershell; there are bash, zsh, fish'],
    ['completion bash zsh', 'argus completion does not know what to do with zsh'],
    ['completion bash --wrods x', 'argus completion has no option --wrods; did you mean --words?'],
    ['completion --words servces', '--words cannot be servces; did you mean services?'],
    ['completion --words', '--words needs a value'],
    ['completoin bash', 'There is no command completoin; did you mean completion?'],
  ])('says in one line what is wrong and exits with 2: %s', async (args, message) => {
    const { code, out, err } = await run(args);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err.split('\n')[0]).toBe(`error: ${message}`);
    expect(err).toMatch(/\nnext: argus (completion|(completion )?--help)\n$/);
  });

  it('is listed in help and has help of its own', async () => {
    expect((await run('--help')).out).toMatch(/\n {2}completion SHELL +Print a script/);
    expect((await run('completion --help')).out).toContain('source <(argus completion bash)');
    expect((await run('help completion')).out).toContain('Usage: argus completion SHELL');
  });

  it('gives programs the script and the names as data', async () => {
    const { out } = await run('completion fish --format json');
    expect(JSON.parse(out)).toMatchObject({ ok: true, data: { shell: 'fish', script: expect.any(String) } });
    expect(JSON.parse((await run('completion --words services --format json')).out).data).toEqual({
      words: ['api', 'db', 'pay'],
    });
  });
});
