import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runChecks } from '@argusai/core';
import { buildKernel } from '@argusai/core/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { describeWithEngine } from '../../../../tests/support/describe-with-engine.js';
import { type Engine, startPrivateEngine } from '../../../../tests/support/engine.js';
import { engineProcess } from '../../../../tests/support/engine-process.js';
import docker from '../index.js';

afterEach(() => vi.unstubAllEnvs());

const kernelWith = (config: Record<string, unknown> = {}, options: object = {}) =>
  buildKernel({ plugins: [[docker, options]], config });

describe('docker.daemon without a daemon', () => {
  const daemonless = async () => {
    const folder = await mkdtemp(join(tmpdir(), 'argus-none-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const host = `unix://${join(folder, 'docker.sock')}`;
    vi.stubEnv('DOCKER_HOST', host);
    return host;
  };

  it.each([
    ['no configuration', {}],
    ['a service that is a container', { services: { db: { image: 'db' }, api: { command: 'serve' } } }],
  ])('fails with %s, and what depends on it is not looked at', async (_, config) => {
    const host = await daemonless();
    const { overall, checks } = await runChecks(kernelWith(config));
    expect(overall).toBe('unhealthy');
    expect(checks).toMatchObject([
      {
        name: 'docker.daemon',
        status: 'fail',
        error: { code: 'DOCKER_UNAVAILABLE', details: { reason: 'not-running', endpoint: host } },
      },
      { name: 'docker.containers', status: 'skipped', causedBy: 'docker.daemon' },
      { name: 'docker.disk', status: 'skipped', causedBy: 'docker.daemon' },
    ]);
  });

  it('is skipped with the reason when no service needs Docker', async () => {
    await daemonless();
    const { overall, checks } = await runChecks(kernelWith({ services: { api: { command: 'serve' } } }));
    expect(overall).toBe('healthy');
    expect(checks.map(({ status }) => status)).toEqual(['skipped', 'skipped', 'skipped']);
    expect(checks[0]?.message).toBe('No service or mock of this project needs Docker');
  });

  it('fails with what the circuit says once that is open', async () => {
    await daemonless();
    const kernel = kernelWith();
    const check = async () => (await runChecks(kernel, { only: ['docker.daemon'] })).checks[0]?.error?.code;
    for (let count = 1; count <= 5; count += 1) expect(await check()).toBe('DOCKER_UNAVAILABLE');
    expect(await check()).toBe('CIRCUIT_OPEN');
  });

  it('says that Docker is not installed', async () => {
    vi.stubEnv('PATH', '/nowhere');
    const { checks } = await runChecks(kernelWith(), { only: ['docker.daemon'] });
    expect(checks[0]).toMatchObject({ status: 'fail', error: { details: { reason: 'not-installed' } } });
  });
});

describeWithEngine('docker.daemon with a daemon', ({ host }) => {
  it('passes and says which version answers', async () => {
    vi.stubEnv('DOCKER_HOST', host);
    const { checks } = await runChecks(kernelWith(), { only: ['docker.daemon'] });
    expect(checks[0]).toMatchObject({
      status: 'pass',
      message: expect.stringMatching(/^Docker \d+\.\S+ answers$/),
      details: { version: expect.stringMatching(/^\d+\./), apiVersion: expect.any(String) },
    });
  });
});

describeWithEngine('docker.daemon with a daemon that hangs', () => {
  let engine: Engine;
  let pid = 0;
  beforeAll(async () => {
    const started = await startPrivateEngine();
    if ('missing' in started) throw new Error(started.missing);
    engine = started;
    pid = engineProcess(engine);
    process.kill(pid, 'SIGSTOP');
  });
  afterAll(async () => {
    process.kill(pid, 'SIGCONT');
    await engine.end();
  });

  it('ends by its time limit, and the whole check in good time', async () => {
    vi.stubEnv('DOCKER_HOST', engine.host);
    const { checks } = await runChecks(kernelWith({}, { timeout: '500ms' }));
    expect(checks[0]).toMatchObject({
      status: 'fail',
      error: {
        code: 'DOCKER_UNAVAILABLE',
        message: `The Docker daemon at ${engine.host} gave no answer within 500ms`,
        details: { reason: 'hung' },
      },
    });
    expect(checks.slice(1).map(({ status }) => status)).toEqual(['skipped', 'skipped']);
  });

  it('is done before the time for all checks is up, also with the time limit that users have', async () => {
    vi.stubEnv('DOCKER_HOST', engine.host);
    const { checks } = await runChecks(kernelWith());
    expect(checks[0]).toMatchObject({ status: 'fail', error: { details: { reason: 'hung' } } });
  });
});
