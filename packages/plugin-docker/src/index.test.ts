import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createKernel, labelNames, usePlugin } from '@argusai/core';
import { describePlugin } from '@argusai/core/testing';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { describeWithEngine } from '../../../tests/support/describe-with-engine.js';
import { type Engine, startPrivateEngine } from '../../../tests/support/engine.js';
import { engineProcess } from '../../../tests/support/engine-process.js';
import { makeTestImage, testImage } from '../../../tests/support/test-image.js';
import type { DockerClient } from './client/docker-client.js';
import { clientRig, signal } from './fixtures/client-rig.js';
import { type EnvironmentUp, environmentUp } from './fixtures/environment-up.js';
import docker from './index.js';

describeWithEngine('the contract', () => {
  // An engine of its own: it is hung, and what it keeps is measured.
  const own = { engine: undefined as Engine | undefined, client: undefined as DockerClient | undefined };
  const hostBefore = process.env.DOCKER_HOST;
  const theEngine = () => own.engine ?? expect.fail('no engine');
  const client = () => own.client ?? expect.fail('no engine');
  let up: EnvironmentUp;
  let base = '';

  beforeAll(async () => {
    const engine = await startPrivateEngine();
    if ('missing' in engine) throw new Error(engine.missing);
    process.env.DOCKER_HOST = engine.host;
    own.engine = engine;
    own.client = clientRig({ env: { ...process.env } }).client;
    await makeTestImage(engine.host);
    // So that the image of the tests is in use and does not count as reclaimable.
    base = (await own.client.run(['run', '--detach', testImage, 'sleep', '10000'], { signal })).trim();
  });
  afterAll(async () => {
    if (hostBefore === undefined) delete process.env.DOCKER_HOST;
    else process.env.DOCKER_HOST = hostBefore;
    await own.engine?.end();
  });

  describePlugin(docker, {
    options: { timeout: '10s', reclaimable: '1MB' },
    scenarios: [
      {
        name: 'a container that crashed once',
        repairedBy: 'docker.restart-container',
        async prepare() {
          up = await environmentUp(client());
          const script = 'if [ -e /ran ]; then exec sleep 60; fi; touch /ran; echo ouch; exit 3';
          const id = await up.start('api', { script });
          await client().run(['wait', id], { signal });
          return { store: up.store };
        },
        async observe() {
          const ids = (await client().run(['ps', '--all', '--quiet', '--no-trunc'], { signal }))
            .trim()
            .split('\n');
          const found = await client().inspect<{ Id: string; State: { StartedAt: string } }>(
            'container',
            ids,
            {
              signal,
            },
          );
          return found.map(({ Id, State }) => `${Id} ${State.StartedAt}`).sort();
        },
        cleanup: () => up.remove(),
      },
      {
        name: 'an image that a newer build has replaced',
        repairedBy: 'docker.prune',
        async prepare() {
          // It is there again only when a recoverer has removed it: building takes longer than all the rest.
          const dangling = ['images', '--quiet', '--filter', 'dangling=true'];
          if ((await client().run(dangling, { signal })) !== '') return;
          const labels = { [labelNames.managed]: 'true', [labelNames.project]: 'test' };
          const marks = Object.entries(labels).flatMap(([name, value]) => ['--label', `${name}=${value}`]);
          const input = `FROM ${testImage}\nRUN dd if=/dev/zero of=/fill bs=1024 count=4096\n`;
          await client().run(['build', '--quiet', ...marks, '-'], { signal, input, timeoutMs: 60_000 });
        },
        observe: async () =>
          (await client().run(['images', '--quiet', '--no-trunc'], { signal })).split('\n'),
      },
      {
        name: 'a daemon that hangs',
        prepare() {
          process.kill(engineProcess(theEngine()), 'SIGSTOP');
          return { options: { timeout: '300ms' } };
        },
        cleanup: () => void process.kill(engineProcess(theEngine()), 'SIGCONT'),
      },
    ],
  });

  it('has left the engine as it was', async () => {
    expect((await client().run(['ps', '--all', '--quiet', '--no-trunc'], { signal })).trim()).toBe(base);
  });
});

describe('the docker plugin', () => {
  const kernel = createKernel({ project: { name: 'shop', dir: '/' }, plugins: [usePlugin(docker)] });

  it('registers its checkers, recoverers, circuit and runtime', () => {
    expect(kernel.checkers.names()).toEqual(['docker.daemon', 'docker.containers', 'docker.disk']);
    expect(kernel.recoverers.names()).toEqual(['docker.restart-container', 'docker.prune']);
    expect(kernel.circuits.all().map(({ name }) => name)).toEqual(['docker']);
    expect(kernel.runtimes.names()).toEqual(['docker']);
  });

  it('has a README whose program runs and that names all there is', async () => {
    const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
    const own = kernel.errorCodes.names().filter((code) => kernel.errorCodes.ownerOf(code) === 'docker');
    const names = [
      ...kernel.checkers.names(),
      ...kernel.recoverers.names(),
      ...own,
      'timeout',
      'reclaimable',
    ];
    for (const name of names) expect(readme).toContain(`\`${name}\``);

    const folder = await mkdtemp(join(tmpdir(), 'argus-readme-'));
    const log = vi.spyOn(console, 'log').mockReturnValue(undefined);
    onTestFinished(async () => {
      log.mockRestore();
      await rm(folder, { recursive: true, force: true });
    });
    const program = join(folder, 'program.ts');
    await writeFile(program, /```ts\n(.*?)```/s.exec(readme)?.[1] ?? 'throw new Error("no program")');
    await import(program);
    // Where there is no engine, the check is skipped.
    expect(log).toHaveBeenCalledWith(
      'images.count',
      expect.stringMatching(/pass|skipped/),
      expect.any(String),
    );
  });
});
