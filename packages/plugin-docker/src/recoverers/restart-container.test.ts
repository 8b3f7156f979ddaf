import { applyRecovery, type Kernel, planRecovery } from '@argusai/core';
import { buildKernel } from '@argusai/core/testing';
import { afterEach, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { describeWithEngine } from '../../../../tests/support/describe-with-engine.js';
import { makeTestImage } from '../../../../tests/support/test-image.js';
import { clientRig, signal } from '../fixtures/client-rig.js';
import { type EnvironmentUp, environmentUp } from '../fixtures/environment-up.js';
import docker from '../index.js';

const onceAilingThenWell =
  'if [ -e /ran ]; then exec sleep 60; fi; touch /ran; echo out; sleep 0.2; echo err >&2; exit 3';

describeWithEngine('docker.restart-container', ({ host }) => {
  const { client } = clientRig({ env: { ...process.env, DOCKER_HOST: host } });
  beforeAll(() => makeTestImage(host));
  afterEach(() => vi.unstubAllEnvs());

  const environment = async () => {
    vi.stubEnv('DOCKER_HOST', host);
    const up = await environmentUp(client);
    onTestFinished(() => up.remove());
    return up;
  };
  const kernelOf = (
    { store }: EnvironmentUp,
    policy: object = { autonomy: 'full', correlatedFailures: 10 },
  ) => buildKernel({ plugins: [docker], store, config: { policy } });
  const only = ['docker.containers'];
  const apply = (kernel: Kernel, hash: string | null) =>
    applyRecovery(kernel, hash ?? 'nothing', { only, mode: 'approved', dryRun: false, signal });

  it('restarts what crashed, with the evidence kept, and is judged by the check', async () => {
    const up = await environment();
    const id = await up.start('api', { script: onceAilingThenWell, options: ['--memory', '64m'] });
    await client.run(['wait', id], { signal });
    const kernel = kernelOf(up);
    const { hash } = await planRecovery(kernel, { only });

    const report = await apply(kernel, hash);

    expect(report.steps).toMatchObject([
      {
        recoverer: 'docker.restart-container',
        target: `container:argus-test-${up.run.id}-api`,
        action: 'restart',
        outcome: 'applied',
        verdict: 'recovered',
        evidence: { id, exitCode: 3, oomKilled: false, memoryLimit: 64 * 1024 * 1024, status: 'exited' },
      },
    ]);
    const logs = report.steps[0]?.evidence?.logs;
    expect(logs).toEqual([expect.stringMatching(/ out$/), expect.stringMatching(/ err$/)]);
  });

  it('says that a restart did not help', async () => {
    const up = await environment();
    const id = await up.start('api', { script: 'exit 3' });
    await client.run(['wait', id], { signal });
    const kernel = kernelOf(up);
    const { hash } = await planRecovery(kernel, { only });
    const report = await apply(kernel, hash);
    expect(report.steps).toMatchObject([{ outcome: 'applied', verdict: 'ineffective' }]);
  });

  it('waits for the health check of the image before it is judged', async () => {
    const up = await environment();
    // Many tries: on a busy machine the first ones come before the script has got to its second line.
    const healthy = ['--health-cmd', 'test -e /ran2', '--health-interval', '1s', '--health-retries', '8'];
    const script = 'if [ -e /ran ]; then touch /ran2; fi; touch /ran; trap "exit 0" TERM; sleep 60 & wait';
    const id = await up.start('api', { script, options: healthy });
    await expect
      .poll(async () => (await planRecovery(kernelOf(up), { only })).steps, {
        timeout: 40_000,
        interval: 300,
      })
      .toHaveLength(1);
    const kernel = kernelOf(up);
    const { hash, steps } = await planRecovery(kernel, { only });
    expect(steps).toMatchObject([{ data: { id }, findings: [{ code: 'HEALTH_CHECK_TIMEOUT' }] }]);
    const report = await apply(kernel, hash);
    expect(report.steps).toMatchObject([{ outcome: 'applied', verdict: 'recovered' }]);
  });

  it('plans exactly what it can prove to be of this environment', async () => {
    const [up, other] = [await environment(), await environment()];
    await other.start('theirs', { script: 'exit 1' });
    const id = await up.start('ours', { script: 'exit 1' });
    await client.run(['wait', id], { signal });
    const { steps } = await planRecovery(kernelOf(up), { only });
    expect(steps.map(({ target }) => target)).toEqual([`container:argus-test-${up.run.id}-ours`]);
  });

  it('reports a container that has gone since the plan was made', async () => {
    const up = await environment();
    const id = await up.start('api', { script: 'exit 1' });
    await client.run(['wait', id], { signal });
    const kernel = kernelOf(up);
    const { steps } = await planRecovery(kernel, { only });
    await up.remove();
    const recoverer = kernel.recoverers.get('docker.restart-container');
    const { project, clock } = kernel;
    expect(await recoverer?.apply({ steps, signal, project, clock })).toMatchObject([
      { applied: false, error: { message: expect.stringContaining('no longer a container') } },
    ]);
    const step = steps[0];
    expect(step && (await recoverer?.evidence?.(step, { findings: [], signal, project, clock }))).toEqual({});
  });
});
