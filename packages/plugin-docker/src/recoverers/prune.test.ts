import { createKernel, diskSpaceLow, labelNames, planRecovery, usePlugin } from '@argusai/core';
import { checking, registering } from '@argusai/core/testing';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { describeWithEngine } from '../../../../tests/support/describe-with-engine.js';
import { makeTestImage, testImage } from '../../../../tests/support/test-image.js';
import { clientRig, signal } from '../fixtures/client-rig.js';
import docker from '../index.js';

describeWithEngine('docker.prune', ({ host }) => {
  const { client } = clientRig({ env: { ...process.env, DOCKER_HOST: host } });
  const project = `prune-${process.pid}`;
  const made: string[] = [];
  beforeAll(() => makeTestImage(host));
  afterEach(() => vi.unstubAllEnvs());
  afterAll(async () => {
    for (const id of made)
      await client.run(['image', 'rm', '--force', id], { signal }).catch(() => undefined);
  });

  const build = async (labels: Record<string, string>, ...more: string[]) => {
    const marks = Object.entries(labels).flatMap(([name, value]) => ['--label', `${name}=${value}`]);
    const input = `FROM ${testImage}\nRUN echo ${made.length}-${project} > /mark\n`;
    const id = (await client.run(['build', '--quiet', ...marks, ...more, '-'], { signal, input })).trim();
    made.push(id);
    return id;
  };
  const ours = { [labelNames.managed]: 'true', [labelNames.project]: project };
  const low = registering('full', {
    checkers: [
      checking('full.disk', ({ fail }) =>
        fail(diskSpaceLow, { message: 'full', details: { available: 1, required: 2, path: '/' } }),
      ),
    ],
  });
  const kernel = () => {
    vi.stubEnv('DOCKER_HOST', host);
    const plugins = [docker, low].map((plugin) => usePlugin(plugin));
    return createKernel({ plugins, project: { name: project, dir: process.cwd() } });
  };

  it('plans to remove only unnamed images of this project that no container uses', async () => {
    const replaced = await build(ours);
    await build(ours, '--tag', `${project}:kept`);
    await build({ ...ours, [labelNames.project]: 'another' });
    await build({});
    const used = await build(ours);
    const container = (await client.run(['create', used], { signal })).trim();
    try {
      const { steps } = await planRecovery(kernel(), { only: ['full.disk'] });
      expect(steps).toMatchObject([
        {
          recoverer: 'docker.prune',
          risk: 'destructive',
          target: `image:${replaced}`,
          action: 'remove',
          reversible: false,
          findings: [{ check: 'full.disk', code: 'DISK_SPACE_LOW' }],
        },
      ]);
    } finally {
      await client.run(['rm', container], { signal });
    }
  });

  it('removes what it planned, and nothing when it is gone already', async () => {
    const { recoverers, clock, project: place } = kernel();
    const prune = recoverers.get('docker.prune');
    const plan = { findings: [], signal, project: place, clock };
    const steps = (await prune?.plan(plan)) ?? [];
    expect(steps).not.toEqual([]);
    for (const _ of ['once', 'twice']) {
      const results = await prune?.apply({ steps, signal, project: place, clock });
      expect(results?.map(({ applied }) => applied)).toEqual(steps.map(() => true));
    }
    expect(await prune?.plan(plan)).toEqual([]);
  });

  it('says so when an image cannot be removed, and goes on with the others', async () => {
    const ids = [await build(ours), await build(ours)].sort();
    const { recoverers, clock, project: place } = kernel();
    const prune = recoverers.get('docker.prune');
    const steps = (await prune?.plan({ findings: [], signal, project: place, clock })) ?? [];
    expect(steps.map(({ target }) => target)).toEqual(ids.map((id) => `image:${id}`));
    // Since then a container was made of it.
    const container = (await client.run(['create', ids[0] ?? ''], { signal })).trim();
    try {
      expect(await prune?.apply({ steps, signal, project: place, clock })).toMatchObject([
        { applied: false, error: { code: 'DOCKER_COMMAND_FAILED', details: { reason: 'conflict' } } },
        { applied: true },
      ]);
    } finally {
      await client.run(['rm', container], { signal });
    }
  });
});
