import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { describeWithEngine } from '../support/describe-with-engine.js';
import { folderWith } from '../support/folder-with.js';
import { repository, runArgus, runCommand } from '../support/run-command.js';
import { makeTestImage } from '../support/test-image.js';

const example = join(repository, 'examples/containers');

/** These are long, and must not fail because a machine is busy. */
const timeout = 180_000;

describeWithEngine('the example of containers', ({ host }) => {
  let image: string;
  beforeAll(async () => {
    image = await makeTestImage(host);
  });

  /** Runs things in a folder. What they leave there is removed with the test. */
  const inFolder = async (cwd: string) => {
    const state = join(await folderWith({}), 'state');
    const env = { BASE_IMAGE: image, ARGUS_STATE_DIR: state, DOCKER_HOST: host };
    const argus = async (...args: string[]) => {
      const { stdout } = await runArgus([...args, '--format', 'json'], { cwd, state, env });
      return JSON.parse(stdout);
    };
    const docker = async (...args: string[]) =>
      (await runCommand('docker', args, { cwd, env })).stdout.split('\n').filter((line) => line !== '');
    const own = ['--quiet', '--filter', `label=argusai.worktree=${cwd}`];
    const resources = async () => [
      ...(await docker('ps', '--all', ...own)),
      ...(await docker('network', 'ls', ...own)),
      ...(await docker('volume', 'ls', ...own)),
    ];
    onTestFinished(async () => {
      await argus('clean');
      const images = await docker('images', '--quiet', '--filter', 'label=argusai.project=containers');
      if (images.length > 0) await docker('rmi', '--force', ...images);
    });
    return { env, argus, resources };
  };

  it('tells its whole story and leaves nothing behind', { timeout }, async () => {
    const { env, resources } = await inFolder(example);
    const { code, stdout, stderr } = await runCommand(process.execPath, ['run.mjs'], { cwd: example, env });
    expect(`${stdout}\n${stderr}`).toMatch(/^. pass 2$/m);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^prices: asked for port 18090, has (?!18090$)\d+$/m);
    expect(await resources()).toEqual([]);
  });

  it('does what its page says when something in it is changed or broken', { timeout }, async () => {
    const folder = await folderWith({});
    await cp(example, folder, { recursive: true, filter: (path) => !path.includes('node_modules') });
    const { argus, resources } = await inFolder(folder);
    const change = async (path: string, from: string, to: string) => {
      const text = await readFile(join(folder, path), 'utf8');
      expect(text).toContain(from);
      await writeFile(join(folder, path), text.replace(from, to));
    };
    expect(await argus('setup')).toMatchObject({ ok: true });
    expect(await resources()).toHaveLength(3);
    expect(await argus('setup')).toMatchObject({ data: { unchanged: true } });

    await change('prices/prices.txt', 'tea 3', 'tea 5');
    expect(await argus('setup')).toMatchObject({
      data: {
        services: [
          { name: 'prices', status: 'ready' },
          { name: 'shop', status: 'kept' },
        ],
      },
    });

    await change('argus.config.mjs', "{ PRICES_URL: 'http://prices:8080/prices.txt' }", '{}');
    expect(await argus('setup')).toMatchObject({
      error: { code: 'HEALTH_CHECK_TIMEOUT', details: { service: 'shop', rollback: { failed: [] } } },
    });
    // What was up before and was not touched stays: prices and its network.
    expect(await resources()).toHaveLength(2);
    expect(await argus('clean')).toMatchObject({ ok: true });
    expect(await resources()).toEqual([]);

    await change('shop/Dockerfile', 'RUN chmod', 'RUN no-such-program');
    expect(await argus('setup')).toMatchObject({
      error: {
        code: 'BUILD_FAILED',
        details: { lines: expect.arrayContaining([expect.stringContaining('no-such-program')]) },
      },
    });
  });
});
