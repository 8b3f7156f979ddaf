import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readManifest } from '../scripts/steps/workspace.mjs';
import { repository, runCommand } from './support/run-command.js';

// The registry may be one that only these make trusted. Other tests do without them; see vitest.config.ts.
const certificates = { NODE_EXTRA_CA_CERTS: process.env.ARGUS_TEST_CA_CERTS };

/** A project in a folder of its own, with argus and a third party's plugin installed from tarballs by plain npm. */
let project: string;
let tarballs: string;
const argus = (...args: string[]) =>
  runCommand(join(project, 'node_modules/.bin/argus'), args, {
    cwd: project,
    env: { ARGUS_STATE_DIR: join(project, 'state') },
  });

/** Runs a command that has to succeed, and gives what it prints. */
async function succeed(cwd: string, file: string, ...args: string[]): Promise<string> {
  const env = { ...certificates, NO_COLOR: '1' };
  const { code, stdout, stderr } = await runCommand(file, args, { cwd, env });
  if (code !== 0) throw new Error(`${file} ${args.join(' ')} ended with ${code}:\n${stdout}\n${stderr}`);
  return stdout;
}

const install = (cwd: string, ...args: string[]) =>
  succeed(cwd, 'npm', 'install', '--prefer-offline', '--no-audit', '--no-fund', ...args);

/** The tarball of a package, as an argument for npm. */
async function tarballOf(name: string): Promise<string> {
  const file = (await readdir(tarballs)).find((each) => each.startsWith(`${name}-`));
  if (file === undefined) throw new Error(`${name} was not packed`);
  return join(tarballs, file);
}

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'argus-packed-'));
  tarballs = join(project, 'tarballs');
  // pnpm turns `workspace:` ranges into versions, as it does when it publishes.
  const packages = ['--recursive', '--filter', './packages/*'];
  const pnpm = ['-y', 'pnpm@10.34.8', ...packages, 'pack', '--pack-destination', tarballs];
  await succeed(repository, 'npx', ...pnpm);
  const fixtures = ['lamp', 'tomorrow'].map((name) =>
    join(repository, `tests/fixtures/argusai-plugin-${name}`),
  );
  await succeed(project, 'npm', 'pack', '--pack-destination', tarballs, ...fixtures);
  const files = (await readdir(tarballs)).map((name) => `./tarballs/${name}`);
  await writeFile(
    join(project, 'package.json'),
    JSON.stringify({ name: 'lamp-user', private: true, type: 'module' }),
  );
  await writeFile(
    join(project, 'argus.config.json'),
    JSON.stringify({ plugins: [['@argusai/plugin-disk', { threshold: '1MB' }], 'argusai-plugin-lamp'] }),
  );
  await install(project, ...files.filter((name) => !name.includes('plugin-tomorrow')));
}, 300_000);
afterAll(() => rm(project, { recursive: true, force: true }));

describe('a plugin that someone else published', () => {
  it('adds a code and a checker', async () => {
    const { code, stdout } = await argus('check', '--format', 'json');
    const { data } = JSON.parse(stdout);
    expect(data.checks).toContainEqual(
      expect.objectContaining({
        name: 'lamp.lit',
        plugin: 'lamp',
        status: 'fail',
        error: expect.objectContaining({ code: 'LAMP_DARK', suggestedActions: ['lamp.light'] }),
      }),
    );
    expect(data.checks.map(({ name }: { name: string }) => name)).toContain('disk.space');
    expect(code).toBe(1);
  });

  it('adds a recoverer, which runs and is proved', async () => {
    const planned = JSON.parse((await argus('plan-recovery', '--format', 'json')).stdout);
    expect(planned.data.steps).toMatchObject([{ recoverer: 'lamp.light', target: 'path:lamp.txt' }]);

    const { code, stdout } = await argus('apply-recovery', planned.data.hash, '--format', 'json');
    expect(JSON.parse(stdout).data.steps).toMatchObject([{ outcome: 'applied', verdict: 'recovered' }]);
    expect(code).toBe(0);
    expect((await argus('check', '--only', 'lamp')).code).toBe(0);
  });

  it('has its options in the schema', async () => {
    const { stdout } = await argus('schema');
    expect(stdout).toContain('The file that means light');
  });

  it('is listed with its package, its version and what it registers, as a file of the project is', async () => {
    await writeFile(
      join(project, 'own.mjs'),
      "import { definePlugin } from '@argusai/core';\n" +
        "export default definePlugin({ name: 'own', apply: ({ hooks }) => hooks.afterCheck.tap('own', () => undefined) });\n",
    );
    await writeFile(
      join(project, 'both.json'),
      JSON.stringify({ plugins: ['argusai-plugin-lamp', './own.mjs'] }),
    );
    const { stdout } = await argus('plugins', '--config', 'both.json', '--format', 'json');
    expect(JSON.parse(stdout).data.plugins).toEqual(
      expect.arrayContaining([
        {
          name: 'lamp',
          from: 'package',
          package: 'argusai-plugin-lamp',
          version: '1.0.0',
          path: 'node_modules/argusai-plugin-lamp/src/index.js',
          codes: ['LAMP_DARK'],
          checkers: ['lamp.lit'],
          recoverers: ['lamp.light'],
          operations: [],
          runtimes: [],
          hooks: [],
          options: { file: 'lamp.txt' },
        },
        expect.objectContaining({ name: 'own', from: 'file', path: 'own.mjs', hooks: ['afterCheck'] }),
      ]),
    );
    const { stdout: lines } = await argus('plugins', '--config', 'both.json');
    expect(lines).toMatch(/lamp.*argusai-plugin-lamp.*1\.0\.0/);
    expect(lines).toMatch(/own.*own\.mjs/);
  });

  it('is refused when it is made for another major of core', async () => {
    // npm itself warns of it, and has to be told to go on.
    await install(project, '--no-save', '--legacy-peer-deps', await tarballOf('argusai-plugin-tomorrow'));
    await writeFile(join(project, 'tomorrow.json'), JSON.stringify({ plugins: ['argusai-plugin-tomorrow'] }));
    const told = await argus('check', '--config', 'tomorrow.json', '--format', 'json');
    const { error } = JSON.parse(told.stdout);
    const { version: core } = readManifest(join(repository, 'packages/core'));
    expect(error).toMatchObject({ code: 'PLUGIN_INCOMPATIBLE', details: { core } });
    expect(error.message).toContain('argusai-plugin-tomorrow is made for @argusai/core ^99.0.0');
    expect(told.code).toBe(2);
    const { stderr } = await argus('check', '--config', 'tomorrow.json');
    expect(stderr).toContain('code: PLUGIN_INCOMPATIBLE');
    expect(stderr).toContain('install versions of the plugin and of argus that fit');
  });
});

describe('a plugin that the generator has written', () => {
  let plugin: string;
  const generate = (...args: string[]) =>
    succeed(project, join(project, 'node_modules/.bin/create-plugin'), ...args);

  it('is ready for npm test and npm publish, and works from a configuration', {
    timeout: 300_000,
  }, async () => {
    expect(await generate('@team/env-file', '--yes')).toContain('npm test');
    plugin = join(project, 'argusai-plugin-env-file');
    await install(plugin, '--no-save', await tarballOf('argusai-core'));
    const tested = await succeed(plugin, 'npm', 'test');
    expect(tested).toMatch(/Tests {2}\d+ passed/);
    expect(tested).not.toMatch(/failed|skipped/);

    // As npm publish does: it builds, then packs.
    const [packed] = JSON.parse(await succeed(plugin, 'npm', 'pack', '--json', '--silent'));
    const paths = packed.files.map(({ path }: { path: string }) => path);
    expect(paths).toEqual(
      expect.arrayContaining(['LICENSE', 'README.md', 'package.json', 'dist/index.js', 'dist/index.d.ts']),
    );
    expect(
      paths.filter(
        (path: string) => !/^(dist\/.*(\.js|\.d\.ts)|LICENSE|README\.md|package\.json)$/.test(path),
      ),
    ).toEqual([]);
    expect(paths.filter((path: string) => path.includes('.test.'))).toEqual([]);

    await install(project, '--no-save', '--legacy-peer-deps', join(plugin, packed.filename));
    await writeFile(join(project, '.env.example'), 'PORT=3000\n');
    await writeFile(
      join(project, 'generated.json'),
      JSON.stringify({ plugins: [['@team/argusai-plugin-env-file', { file: 'my.env' }]] }),
    );
    const config = ['--config', 'generated.json', '--format', 'json'];
    const before = await argus('check', ...config);
    expect(JSON.parse(before.stdout).data.checks).toMatchObject([
      {
        name: 'env-file.settings',
        target: 'my.env',
        status: 'fail',
        error: { code: 'ENV_FILE_SETTINGS_MISSING', suggestedActions: ['env-file.copy-example'] },
      },
    ]);
    expect(before.code).toBe(1);
    const fixed = await argus('fix', '--yes', ...config);
    expect({ code: fixed.code, stderr: fixed.stderr }).toEqual({ code: 0, stderr: '' });
    expect(await readFile(join(project, 'my.env'), 'utf8')).toBe('PORT=3000\n');
    expect((await argus('check', ...config)).code).toBe(0);
    const explained = await argus('explain', 'ENV_FILE_SETTINGS_MISSING', ...config);
    expect(JSON.parse(explained.stdout)).toMatchObject({ ok: true });
  });

  it('is not written over', async () => {
    const again = await runCommand(join(project, 'node_modules/.bin/create-plugin'), ['env-file', '--yes'], {
      cwd: project,
    });
    expect(again.stderr).toContain('is there already, and nothing is written over');
    expect(again.code).toBe(1);
  });
});
