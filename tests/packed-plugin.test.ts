import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { repository, runCommand } from './support/run-command.js';

/** A project in a folder of its own, with argus and a third party's plugin installed from tarballs by plain npm. */
let project: string;
const argus = (...args: string[]) =>
  runCommand(join(project, 'node_modules/.bin/argus'), args, {
    ...{ cwd: project, env: { ARGUS_STATE_DIR: join(project, 'state') } },
  });

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'argus-packed-'));
  const tarballs = join(project, 'tarballs');
  const packages = (await readdir(join(repository, 'packages'))).map((name) =>
    join(repository, 'packages', name),
  );
  for (const folder of [...packages, join(repository, 'tests/fixtures/argusai-plugin-lamp')]) {
    // pnpm turns `workspace:` ranges into versions, as it does when it publishes.
    const packed = await runCommand('npx', ['-y', 'pnpm@10.34.8', 'pack', '--pack-destination', tarballs], {
      cwd: folder,
    });
    if (packed.code !== 0) throw new Error(packed.stderr || packed.stdout);
  }
  const files = (await readdir(tarballs)).map((name) => `./tarballs/${name}`);
  await writeFile(
    join(project, 'package.json'),
    JSON.stringify({ name: 'lamp-user', private: true, type: 'module' }),
  );
  await writeFile(
    join(project, 'argus.config.json'),
    JSON.stringify({ plugins: [['@argusai/plugin-disk', { threshold: '1MB' }], 'argusai-plugin-lamp'] }),
  );
  const installed = await runCommand(
    'npm',
    ['install', '--prefer-offline', '--no-audit', '--no-fund', ...files],
    {
      cwd: project,
    },
  );
  if (installed.code !== 0) throw new Error(installed.stderr);
}, 300_000);
afterAll(() => rm(project, { recursive: true, force: true }));

describe('a plugin that someone else published', () => {
  it('adds a code and a checker', async () => {
    const { code, stdout } = await argus('check', '--format', 'json');
    const { data } = JSON.parse(stdout);
    expect(data.checks).toContainEqual(
      expect.objectContaining({
        ...{ name: 'lamp.lit', plugin: 'lamp', status: 'fail' },
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
});
