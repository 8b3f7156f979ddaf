import { execFile } from 'node:child_process';
import { appendFile, chmod, cp, readFile, rm, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { workspaceRoot } from '../../scripts/steps/workspace.mjs';
import { folderWith } from '../support/folder-with.js';

// A tool notes that it was called, does its work, and fails when a file `fail-<tool>` says so.
const tool = (name: string, work: string) => `#!/bin/sh
root="$ROOT"
echo "${name}" >> "$root/.build/calls"
${work}
[ -e "$root/fail-${name}" ] && echo "${name} is not content" && exit 1
exit 0
`;

const program = `console.log(process.cwd().split('/').at(-1), ...process.argv.slice(2)); process.exitCode = 5;`;

const report = JSON.stringify({
  testResults: [
    {
      status: 'passed',
      assertionResults: [{ status: 'passed' }, { status: 'passed' }, { status: 'skipped' }],
    },
  ],
});

const vitest = `for arg; do case "$arg" in --outputFile.json=*) echo '${report}' > "\${arg#*=}";; esac; done
echo "$@" > "$root/.build/vitest-arguments"`;

let root: string;

/** Runs one of the commands in the small workspace. */
function command(name: string, ...args: string[]) {
  const env = {
    ...process.env,
    ROOT: root,
    CI: '',
    PATH: `${join(root, 'bin')}${delimiter}${process.env.PATH}`,
  };
  return new Promise<{ code: number | string; stdout: string; stderr: string }>((resolve) => {
    execFile(
      process.execPath,
      [join(root, `scripts/${name}.mjs`), ...args],
      { env },
      (error, stdout, stderr) => resolve({ code: error?.code ?? 0, stdout, stderr }),
    );
  });
}

/** The tools that were called since the last time. */
async function calls(): Promise<string[]> {
  const file = join(root, '.build/calls');
  const lines = (await readFile(file, 'utf8')).split('\n').filter((line) => line !== '');
  await writeFile(file, '');
  return lines;
}

beforeEach(async () => {
  root = await folderWith({
    // Not where people write, so that taking notes changes nothing that is checked.
    '.build/calls': '',
    'package.json': JSON.stringify({ name: 'root', packageManager: 'pnpm@1.2.3' }),
    'examples/quickstart/package.json': '{ "name": "quickstart" }',
    'examples/quickstart/run.mjs': 'console.log("the story"); process.exitCode = 7;',
    'packages/cli/package.json':
      '{ "name": "cli", "version": "1.0.0", "type": "module", "exports": { ".": "./dist/argus.js" }, "bin": { "argus": "./dist/argus.js" } }',
    'packages/cli/src/argus.js': program,
    'bin/npx': tool('npx', 'mkdir -p "$root/node_modules" && cp -r "$root/tools" "$root/node_modules/.bin"'),
    'tools/tsup': tool('tsup', 'mkdir dist && cp src/* dist'),
    'tools/tsc': tool('tsc', ''),
    'tools/biome': tool('biome', ''),
    'tools/knip': tool('knip', ''),
    'tools/publint': tool('publint', ''),
    'tools/attw': tool('attw', ''),
    'tools/typedoc': tool('typedoc', ''),
    'tools/vitest': tool('vitest', vitest),
  });
  const names = ['tsup', 'tsc', 'biome', 'knip', 'publint', 'attw', 'typedoc', 'vitest'];
  const tools = names.map((name) => `tools/${name}`);
  for (const file of ['bin/npx', ...tools]) await chmod(join(root, file), 0o755);
  await cp(join(workspaceRoot, 'scripts'), join(root, 'scripts'), { recursive: true });
});

describe('npm start', () => {
  it('installs, builds, and tells the story of the quickstart, whose exit code is its own', async () => {
    const { code, stdout } = await command('start');
    expect(stdout).toBe('the story\n');
    expect(code).toBe(7);
    expect(await calls()).toEqual(['npx', 'tsup', 'tsc']);
  });

  it('does and says nothing else the second time', async () => {
    await command('start');
    await calls();
    const { stdout, stderr } = await command('start');
    expect(stdout).toBe('the story\n');
    expect(stderr).toBe('');
    expect(await calls()).toEqual([]);
  });

  it('runs any command of argus in the folder of the quickstart', async () => {
    expect((await command('start', 'check', '--format', 'json')).stdout).toBe(
      'quickstart check --format json\n',
    );
    expect((await command('start', 'check')).code).toBe(5);
    expect((await command('start', 'schema', '--help')).stdout).toBe('quickstart schema --help\n');
  });

  it('builds a changed source anew, without what was left of the old one', async () => {
    await command('start', 'check');
    await calls();
    await appendFile(join(root, 'packages/cli/src/argus.js'), ' console.log("more")');
    expect((await command('start', 'check')).stdout).toBe('quickstart check\nmore\n');
    expect(await calls()).toEqual(['tsup', 'tsc']);
  });

  it('shows what could not be built, runs nothing, and builds it the next time', async () => {
    await writeFile(join(root, 'fail-tsup'), '');
    const { code, stdout, stderr } = await command('start');
    expect(code).toBe(1);
    expect(stdout).toBe('');
    expect(stderr).toContain('tsup is not content');
    await rm(join(root, 'fail-tsup'));
    expect((await command('start', 'check')).stdout).toBe('quickstart check\n');
  });
});

describe('npm test', () => {
  it('ends with the count of the tests', async () => {
    const { code, stdout } = await command('test');
    expect(stdout.split('\n').slice(-2)).toEqual(['2 passed, 0 failed, 1 skipped', '']);
    expect(code).toBe(0);
    expect((await calls()).sort()).toEqual(
      // npx installs, and packs the package for publint and attw.
      ['attw', 'biome', 'knip', 'npx', 'npx', 'publint', 'tsc', 'tsc', 'tsup', 'typedoc', 'vitest'],
    );
  });

  it('checks only what has changed since it last passed', async () => {
    await writeFile(join(root, 'fail-biome'), '');
    await command('test');
    await calls();
    await command('test');
    expect(await calls()).toEqual(['biome', 'vitest']);
    await rm(join(root, 'fail-biome'));
    await command('test');
    await calls();
    expect((await command('test')).code).toBe(0);
    expect(await calls()).toEqual(['vitest']);
    await appendFile(join(root, 'packages/cli/src/argus.js'), ' // changed');
    await command('test');
    expect((await calls()).sort()).toEqual(['biome', 'knip', 'tsc', 'tsc', 'tsup', 'typedoc', 'vitest']);
    // What would be published is other than before only when there are other files, types or words about them.
    await writeFile(join(root, 'packages/cli/src/more.js'), '');
    await command('test');
    expect(await calls()).toEqual(expect.arrayContaining(['npx', 'publint', 'attw']));
  });

  it.each(['biome', 'knip', 'publint', 'attw', 'typedoc', 'tsc'])(
    'runs the tests although %s fails, and counts that',
    async (failing) => {
      await writeFile(join(root, `fail-${failing}`), '');
      const { code, stdout, stderr } = await command('test');
      // The compiler runs twice: for the packages and for the tests.
      expect(stdout.trim().split('\n').at(-1)).toBe(
        `2 passed, ${failing === 'tsc' ? 2 : 1} failed, 1 skipped`,
      );
      expect(stderr).toContain(`${failing} is not content`);
      expect(code).toBe(1);
    },
  );

  it('counts a run that fails for another reason than a test', async () => {
    await writeFile(join(root, 'fail-vitest'), '');
    const { code, stdout } = await command('test');
    expect(stdout.trim().split('\n').at(-1)).toBe('2 passed, 1 failed, 1 skipped');
    expect(code).toBe(1);
  });

  it('counts as failed when nothing could be installed', async () => {
    await writeFile(join(root, 'fail-npx'), '');
    const { code, stdout, stderr } = await command('test');
    expect(stdout).toBe('0 passed, 1 failed\n');
    expect(stderr).toContain('npx is not content');
    expect(code).toBe(1);
  });

  it('asks for coverage of all tests, but not of some', async () => {
    await command('test');
    expect(await readFile(join(root, '.build/vitest-arguments'), 'utf8')).toContain('--coverage');
    await command('test', 'packages/cli');
    const given = await readFile(join(root, '.build/vitest-arguments'), 'utf8');
    expect(given).not.toContain('--coverage');
    expect(given).toContain('packages/cli');
  });
});
