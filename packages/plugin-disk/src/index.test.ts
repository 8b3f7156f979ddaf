import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { configSchema, createKernel, runChecks, usePlugin } from '@argusai/core';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { describeWithEngine } from '../../../tests/support/describe-with-engine.js';
import { smallFilesystem, whyNoMounting } from '../../../tests/support/small-filesystem.js';
import { infoWith, listen } from './fixtures/listen.js';
import { tempFolder } from './fixtures/temp-folder.js';
import disk from './index.js';

const noMounting = await whyNoMounting();

afterEach(() => vi.unstubAllEnvs());

describe('the disk plugin', () => {
  it('registers its checkers and codes', () => {
    const kernel = kernelFor('/');
    expect(kernel.checkers.names()).toEqual(['disk.space', 'disk.inodes']);
    expect(kernel.errorCodes.has('DISK_SPACE_LOW')).toBe(true);
    expect(kernel.errorCodes.has('DISK_INODES_LOW')).toBe(true);
  });

  it('looks at the project, the temporary folder and the engine that the environment names', async () => {
    const dir = await tempFolder();
    const { socket } = await listen(infoWith(dir));
    vi.stubEnv('DOCKER_HOST', `unix://${socket}`);
    vi.stubEnv('TMPDIR', '/');

    const { checks } = await runChecks(kernelFor(dir, { threshold: 1, inodes: 0, paths: [] }));

    const paths = checks.flatMap(({ details }) => details.paths);
    expect(paths).toContainEqual({ path: dir, use: 'project' });
    expect(paths).toContainEqual({ path: '/', use: 'temporary files' });
    expect(new Set(checks.map(({ name }) => name))).toEqual(new Set(['disk.space', 'disk.inodes']));
  });

  it.each([
    ['a project that names no service', {}, true],
    ['a service with an image', { services: { api: { command: 'serve' }, db: { image: 'db' } } }, true],
    ['a service that is built', { services: { api: { build: '.' } } }, true],
    [
      'a mock with an image',
      { services: { api: { command: 'serve' } }, mocks: { pay: { image: 'pay' } } },
      true,
    ],
    ['only commands', { services: { api: { command: 'serve' } } }, false],
    ['only mocks that argus answers for', { mocks: { pay: { port: 9081, routes: [{ path: '/' }] } } }, false],
  ])('asks the engine for its folder where something may run there: %s', async (_, config, isAsked) => {
    const dir = await tempFolder();
    const { socket, server } = await listen(infoWith(dir));
    let requests = 0;
    server.on('request', () => {
      requests += 1;
    });
    vi.stubEnv('DOCKER_HOST', `unix://${socket}`);
    const project = { name: 'shop', dir };
    const plugins = [usePlugin(disk, { threshold: 1, inodes: 0 })];
    const { checks } = await runChecks(
      createKernel({ project, plugins, config: configSchema.parse(config) }),
    );
    expect(checks.map(({ status }) => status)).not.toContain('unknown');
    expect(requests > 0).toBe(isAsked);
  });

  it('leaves an engine in peace while its circuit is not closed, also when the next call would be the probe', async () => {
    const dir = await tempFolder();
    let requests = 0;
    const { socket } = await listen(() => {
      requests += 1;
    });
    vi.stubEnv('DOCKER_HOST', `unix://${socket}`);
    const kernel = kernelFor(dir, { threshold: 1 });
    const circuit = kernel.circuits.define({ name: 'docker', isFault: () => true, failureThreshold: 1 });
    await circuit.execute(() => Promise.reject(new Error('down'))).catch(() => undefined);
    const look = async () => (await runChecks(kernel, { only: ['disk.space'] })).checks;
    expect(await look()).toContainEqual(expect.objectContaining({ target: socket, status: 'unknown' }));
    await circuit.reset();
    expect(await look()).toContainEqual(expect.objectContaining({ target: socket, status: 'unknown' }));
    expect([requests, (await circuit.state()).state]).toEqual([0, 'half-open']);
  });

  it('takes its threshold from the options, and otherwise from the section on preflight checks', async () => {
    const dir = await tempFolder();
    vi.stubEnv('DOCKER_HOST', 'tcp://build.example:2376');
    const requiredWith = async (options: object) => {
      const { checks } = await runChecks(kernelFor(dir, options, { diskSpaceThreshold: '7MB' }), {
        only: ['disk.space'],
      });
      return checks[0]?.details.required;
    };

    expect(await requiredWith({})).toBe(7_000_000);
    expect(await requiredWith({ threshold: '3MB' })).toBe(3_000_000);
  });

  it('suggests nothing that is not loaded', async () => {
    const dir = await tempFolder();
    vi.stubEnv('DOCKER_HOST', 'tcp://build.example:2376');
    const { checks } = await runChecks(kernelFor(dir, { threshold: Number.MAX_SAFE_INTEGER }), {
      only: ['disk.space'],
    });
    expect(checks[0]?.error).toMatchObject({ code: 'DISK_SPACE_LOW', suggestedActions: [] });
  });

  it.skipIf(noMounting)('finds the full filesystem of an engine', async () => {
    const [dir, engineDir] = [await tempFolder(), await smallFilesystem({ size: '64k' })];
    const { socket } = await listen(infoWith(engineDir));
    vi.stubEnv('DOCKER_HOST', `unix://${socket}`);

    const { overall, checks } = await runChecks(kernelFor(dir, { threshold: '1MB' }), {
      only: ['disk.space'],
    });

    expect(overall).toBe('unhealthy');
    expect(checks.find(({ target }) => target === engineDir)).toMatchObject({
      status: 'fail',
      message: `65.5 KB free on ${engineDir}, 1 MB wanted`,
      error: { details: { paths: [{ path: engineDir, use: 'engine' }] } },
    });
  });

  it('has a README whose program runs and that names all there is', async () => {
    const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
    const names = [
      ...kernelFor('/').checkers.names(),
      'DISK_SPACE_LOW',
      'DISK_INODES_LOW',
      'threshold',
      'inodes',
      'paths',
    ];
    for (const name of names) expect(readme).toContain(`\`${name}\``);

    const program = join(await tempFolder(), 'program.ts');
    await writeFile(program, /```ts\n(.*?)```/s.exec(readme)?.[1] ?? 'throw new Error("no program")');
    const log = vi.spyOn(console, 'log').mockReturnValue(undefined);
    await import(program);
    expect(log).toHaveBeenCalledWith('pass', expect.stringMatching(/ free on /));
    log.mockRestore();
  });
});

describeWithEngine('the disk plugin with an engine', ({ host, dockerRoot }) => {
  it('looks at the folder of the engine', async () => {
    const dir = await tempFolder();
    vi.stubEnv('DOCKER_HOST', host);

    const { checks } = await runChecks(kernelFor(dir, { threshold: 1, inodes: 0 }));

    expect(checks.map(({ status }) => status)).not.toContain('unknown');
    for (const name of ['disk.space', 'disk.inodes']) {
      const paths = checks.filter((check) => check.name === name).flatMap(({ details }) => details.paths);
      expect(paths).toContainEqual({ path: dockerRoot, use: 'engine' });
    }
  });
});

function kernelFor(dir: string, options: object = {}, preflight: object = {}) {
  const config = configSchema.parse({ resilience: { preflight } });
  return createKernel({ project: { name: 'shop', dir }, plugins: [usePlugin(disk, options)], config });
}
