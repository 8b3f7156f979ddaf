import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
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

  it('warns when only a run needs it that has used it before, and nothing is sure about what that left', async () => {
    const endpoint = await daemonless();
    const kernel = kernelWith({ services: { api: { command: 'serve' } } });
    await kernel.store.put('runs', 'r1', { id: 'r1', project: 'test', services: {}, runtimes: ['docker'] });
    const { overall, checks } = await runChecks(kernel);
    expect(overall).toBe('degraded');
    expect(checks).toMatchObject([
      { status: 'warn', error: { code: 'DOCKER_UNAVAILABLE', details: { reason: 'not-running', endpoint } } },
      { name: 'docker.containers', status: 'unknown' },
      { name: 'docker.disk', status: 'skipped', message: 'No service or mock of this project needs Docker' },
    ]);
  });

  it.each([
    [404, 'page not found'],
    [500, 'something broke'],
    [403, 'forbidden'],
    [200, '<html>It works!</html>'],
  ])('fails when what answers there, with %i, is no engine', async (status, body) => {
    const server = createServer((_, response) => response.writeHead(status).end(body));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const endpoint = `tcp://127.0.0.1:${port}`;
    vi.stubEnv('DOCKER_HOST', endpoint);
    const { checks } = await runChecks(kernelWith());
    expect(checks[0]).toMatchObject({
      name: 'docker.daemon',
      status: 'fail',
      message: `What answers at ${endpoint} (from DOCKER_HOST) is not a Docker engine, or one that is broken`,
      error: { code: 'DOCKER_UNAVAILABLE', details: { reason: 'not-an-engine', endpoint } },
    });
  });

  it('names the context that the client does not know, and no place where nobody looked', async () => {
    vi.stubEnv('DOCKER_HOST', undefined);
    vi.stubEnv('DOCKER_CONTEXT', 'no-such-context');
    const { checks } = await runChecks(kernelWith(), { only: ['docker.daemon'] });
    expect(checks[0]?.error?.details).toMatchObject({
      reason: 'misconfigured',
      endpoint: expect.stringMatching(/^context no-such-context of /),
    });
  });

  it('fails with what the circuit says once that is open', async () => {
    await daemonless();
    const kernel = kernelWith();
    const check = async () => (await runChecks(kernel, { only: ['docker.daemon'] })).checks[0]?.error?.code;
    for (let count = 1; count <= 5; count += 1) expect(await check()).toBe('DOCKER_UNAVAILABLE');
    expect(await check()).toBe('CIRCUIT_OPEN');
  });

  it('says that an engine whose circuit is open was not asked now, and when it was last', async () => {
    await daemonless();
    const kernel = kernelWith();
    const check = async () => (await runChecks(kernel, { only: ['docker.daemon'] })).checks[0];
    for (let count = 1; count <= 5; count += 1) await check();
    const message = expect.stringMatching(
      /^The engine was not asked now, and last [\d.]+m?s ago: Circuit docker is open after 5 failures in a row, the last one: /,
    );
    const error = { code: 'CIRCUIT_OPEN', message, suggestedActions: ['reset-circuit'] };
    expect(await check()).toMatchObject({ status: 'fail', message, error });
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
        message: `The Docker daemon at ${engine.host} (from DOCKER_HOST) gave no answer within 500ms`,
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
