import { type Json, runChecks } from '@argusai/core';
import { buildKernel } from '@argusai/core/testing';
import { afterAll, afterEach, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { describeWithEngine } from '../../../../tests/support/describe-with-engine.js';
import { makeTestImage } from '../../../../tests/support/test-image.js';
import { clientRig, signal } from '../fixtures/client-rig.js';
import { type EnvironmentUp, environmentUp } from '../fixtures/environment-up.js';
import { greedyScript } from '../fixtures/greedy-script.js';
import docker from '../index.js';

describeWithEngine('docker.containers', ({ host }) => {
  const { client } = clientRig({ env: { ...process.env, DOCKER_HOST: host } });
  beforeAll(() => makeTestImage(host));
  afterEach(() => vi.unstubAllEnvs());
  let shared: EnvironmentUp;
  beforeAll(async () => {
    shared = await environmentUp(client);
  });
  afterAll(() => shared.remove());

  const noted = { runtime: 'docker', spec: 's', ports: [], startedAt: 0 };
  const configured = { api: { image: 'a' }, job: { image: 'a', oneShot: true } };
  const check = async ({ store }: EnvironmentUp, services: object = configured) => {
    vi.stubEnv('DOCKER_HOST', host);
    const config = { services };
    const kernel = buildKernel({ plugins: [docker], config, store });
    const { checks } = await runChecks(kernel, { only: ['docker.containers'] });
    return checks.filter(({ name }) => name === 'docker.containers');
  };
  const environment = async (difference: Parameters<typeof environmentUp>[1] = {}) => {
    const up = await environmentUp(client, difference);
    onTestFinished(() => up.remove());
    return up;
  };

  it('finds what has ended, ran out of memory, is ill or paused, one result for each', async () => {
    const sick = ['--health-cmd', 'echo ailing; false', '--health-interval', '1s', '--health-retries', '1'];
    const ids = {
      well: await shared.start('well', { script: 'sleep 60' }),
      sick: await shared.start('sick', { script: 'sleep 60', options: sick }),
      paused: await shared.start('paused', { script: 'sleep 60' }),
      api: await shared.start('api', { script: 'exit 0' }),
      job: await shared.start('job', { script: 'exit 0' }),
      failed: await shared.start('failed', { script: 'exit 3' }),
      eater: await shared.start('eater', {
        script: greedyScript,
        options: ['--memory', '16m', '--memory-swap', '16m'],
      }),
    };
    await client.run(['pause', ids.paused], { signal });
    await client.run(['wait', ids.eater, ids.failed, ids.api, ids.job], { signal, timeoutMs: 30_000 });
    await expect
      .poll(
        async () =>
          (await client.inspect<Health>('container', [ids.sick], { signal }))[0]?.State.Health.Status,
        {
          timeout: 20_000,
        },
      )
      .toBe('unhealthy');

    const results = await check(shared);

    const target = (service: string) => `container:argus-test-${shared.run.id}-${service}`;
    const found = new Map(results.map((result) => [result.target, result]));
    expect(found.get(target('well'))).toMatchObject({ status: 'pass' });
    expect(found.get(target('job'))).toMatchObject({ status: 'pass' });
    expect(found.get(target('api'))?.error).toMatchObject({
      code: 'CONTAINER_CRASH',
      details: { exitCode: 0 },
    });
    expect(found.get(target('failed'))?.error).toMatchObject({
      code: 'CONTAINER_CRASH',
      details: { exitCode: 3, service: 'failed', runId: shared.run.id, id: ids.failed },
    });
    expect(found.get(target('eater'))?.error).toMatchObject({
      code: 'CONTAINER_OOM',
      details: { exitCode: 137, memoryLimit: 16 * 1024 * 1024 },
      suggestedActions: expect.arrayContaining(['docker.restart-container']),
    });
    expect(found.get(target('sick'))?.error).toMatchObject({
      code: 'HEALTH_CHECK_TIMEOUT',
      details: {
        service: 'sick',
        check: "the image's own check",
        outputs: expect.arrayContaining(['ailing']),
      },
    });
    expect(found.get(target('paused'))?.error).toMatchObject({
      code: 'HEALTH_CHECK_TIMEOUT',
      message: expect.stringContaining('hangs: it is paused'),
      details: { service: 'paused', id: ids.paused },
    });
    expect(results).toHaveLength(7);
  });

  it('finds one that fails the health check of the configuration, which its image knows nothing of', async () => {
    const up = await environment({ services: { api: noted, web: noted } });
    await up.start('api', { script: 'echo no database; sleep 60' });
    await up.start('web', { script: 'sleep 60' });
    const results = await check(up, {
      api: { image: 'a', healthcheck: { command: 'echo ailing; exit 4' } },
      web: { image: 'a', healthcheck: { command: 'true' } },
    });
    const found = new Map(results.map((result) => [result.details?.service, result]));
    expect(found.get('web')).toMatchObject({ status: 'pass', message: expect.stringMatching(/ and well$/) });
    expect(found.get('api')).toMatchObject({
      status: 'fail',
      message: expect.stringContaining('is not well: exit code 4: «ailing»'),
      error: {
        code: 'HEALTH_CHECK_TIMEOUT',
        details: { service: 'api', tries: 1, lines: ['no database'] },
      },
    });
  });

  it('tells each by itself where the health check of one hangs', async () => {
    const up = await environment({ services: { slow: noted, well: noted, crashed: noted } });
    await up.start('slow', { script: 'sleep 60' });
    await up.start('well', { script: 'sleep 60' });
    const id = await up.start('crashed', { script: 'exit 3' });
    await client.run(['wait', id], { signal, timeoutMs: 30_000 });
    const results = await check(up, {
      slow: { image: 'a', healthcheck: { command: 'sleep 60', timeout: '30s' } },
      well: { image: 'a', healthcheck: { command: 'true' } },
      crashed: { image: 'a' },
    });
    const of = (service: string) => results.find(({ target }) => target?.endsWith(`-${service}`));
    expect(of('slow')).toMatchObject({
      status: 'unknown',
      message: expect.stringContaining('within 5000 ms'),
    });
    expect(of('well')).toMatchObject({ status: 'pass' });
    expect(of('crashed')).toMatchObject({ status: 'fail', error: { code: 'CONTAINER_CRASH' } });
  });

  it('fails for what is up by the record of the run and is not there, and names it', async () => {
    const services = {
      api: noted,
      web: noted,
      job: noted,
      old: noted,
      cli: { ...noted, runtime: 'process' },
    };
    const up = await environment({ services });
    const id = await up.start('web', { script: 'sleep 60' });
    const configuration = {
      ...configured,
      web: { image: 'a' },
      never: { image: 'a' },
      cli: { command: 'a' },
    };
    const target = `container:argus-test-${up.run.id}-api`;
    expect(await check(up, configuration)).toMatchObject([
      { status: 'pass', details: { service: 'web' } },
      {
        status: 'fail',
        target,
        message: 'api is up by the record of its run, but its container is gone',
        error: {
          code: 'CONTAINER_CRASH',
          suggestedActions: ['setup'],
          details: { service: 'api', runId: up.run.id, status: 'missing', exitCode: null },
        },
      },
    ]);
    await client.run(['rm', '--force', id], { signal });
    expect(await check(up, configuration)).toMatchObject([{ status: 'fail', target }, { status: 'fail' }]);
  });

  it('misses nothing that another run of the folder has in its place', async () => {
    const up = await environment({ services: { api: noted } });
    const other = { ...up.run, id: `${up.run.id}y`, services: {} };
    await up.store.put('runs', other.id, other as unknown as Json);
    await up.start('api', { script: 'sleep 60', labels: { 'argusai.run-id': other.id } });
    expect(await check(up)).toMatchObject([{ status: 'pass', details: { service: 'api' } }]);
  });

  const none = 'No container of this project is up';
  it.each([
    ['another project', { project: 'other' }, none],
    ['another folder of the same project', { worktree: '/somewhere/else' }, none],
    ['another store', { store: 'another', services: {} }, none],
    ['a run whose lease ran out', { leaseUntil: 1 }, none],
    [
      'a run that is being started',
      { state: 'starting' as const },
      'The environment is just being started, so it was not looked at',
    ],
  ])('leaves alone what belongs to %s', async (_, difference, message) => {
    const up = await environment({ services: { api: noted }, ...difference });
    await up.start('api', { script: 'exit 1' });
    expect(await check(up)).toMatchObject([{ status: 'skipped', message }]);
  });

  it('leaves alone what does not prove whose it is, and what no record knows', async () => {
    const up = await environment();
    await up.start('one', { script: 'exit 1', labels: { 'argusai.store': '' } });
    await up.start('two', { script: 'exit 1', labels: { 'argusai.managed': 'maybe' } });
    await up.start('three', { script: 'exit 1', labels: { 'argusai.run-id': 'unknown' } });
    expect(await check(up)).toMatchObject([{ status: 'skipped' }]);
  });
});

interface Health {
  readonly State: { readonly Health: { readonly Status: string } };
}
