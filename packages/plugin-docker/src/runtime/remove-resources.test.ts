import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { labelsOf, type Removal, type Resource } from '@argusai/core';
import { afterEach, beforeAll, expect, it, onTestFinished } from 'vitest';
import { describeWithEngine } from '../../../../tests/support/describe-with-engine.js';
import { makeTestImage } from '../../../../tests/support/test-image.js';
import { serviceOf, type TrialRun, trialRun } from './fixtures/trial-run.js';
import { assignments } from './label-arguments.js';
import { containerName, networkName, volumeName } from './names.js';

describeWithEngine('the docker runtime lists and removes', ({ host }) => {
  let image: string;
  let trial: TrialRun;
  const signal = () => AbortSignal.timeout(20_000);
  const own = () => trial.runtime.resources({ project: trial.run.project, runId: trial.run.id }, signal());
  const remove = (resources: readonly Resource[], graceMs = 0) =>
    trial.runtime.remove(resources, { graceMs, signal: signal() });
  const outcome = (removals: readonly Removal[]) =>
    removals.map((one) => `${one.resource.type} ${one.removed ? 'removed' : one.error.code}`).sort();

  beforeAll(async () => {
    image = await makeTestImage(host);
  });
  afterEach(() => trial.cleanUp());

  it('tells of everything that a run has made what its labels say', async () => {
    trial = trialRun(host);
    await trial.start(serviceOf('api', { image, command: 'sleep 100', volumes: ['data:/data'] }));
    const { id: runId, project, store, worktree } = trial.run;
    const common = { runtime: 'docker', project, runId, store, worktree, createdAt: expect.any(Number) };
    expect(await own()).toEqual([
      {
        ...common,
        type: 'container',
        id: expect.stringMatching(/^[0-9a-f]{64}$/),
        name: containerName(trial.run, 'api'),
        service: 'api',
      },
      {
        ...common,
        type: 'network',
        id: expect.stringMatching(/^[0-9a-f]{64}$/),
        name: networkName(trial.run),
      },
      { ...common, type: 'volume', id: volumeName(trial.run, 'data'), name: volumeName(trial.run, 'data') },
    ]);
  });

  it('removes twenty things in few calls, also when one of them cannot be removed', async () => {
    trial = trialRun(host);
    const services = Array.from({ length: 12 }, (_, index) =>
      serviceOf(`s${index}`, { image, command: 'sleep 100', volumes: [`v${index % 6}:/data`, '/alone'] }),
    );
    const context = trial.context(services);
    await trial.runtime.prepare?.(context);
    await Promise.all(services.map((service) => trial.runtime.start(service, 'spec', context)));
    const foreign = `foreign-${randomUUID().slice(0, 8)}`;
    await trial.docker(
      'run',
      '-d',
      '--name',
      foreign,
      '--network',
      networkName(trial.run),
      image,
      'sleep',
      '100',
    );
    try {
      // Only those of its own: other tests use the same engine.
      const format = '{{range .Mounts}}{{.Name}} {{end}}';
      const containers = services.map(({ name }) => containerName(trial.run, name));
      const volumes = (await trial.docker('inspect', '--format', format, ...containers)).split(/\s+/);
      expect(new Set(volumes.filter((name) => name !== '')).size).toBe(12 + 6);
      trial.calls.splice(0);
      const resources = await own();
      expect(resources).toHaveLength(12 + 1 + 6);
      expect(trial.calls).toHaveLength(6);
      trial.calls.splice(0);
      const removals = await remove(resources);
      expect(trial.calls).toHaveLength(3);
      const failures = removals.filter(({ removed }) => !removed);
      expect(failures).toMatchObject([
        {
          resource: { type: 'network' },
          error: {
            code: 'CLEANUP_FAILED',
            details: {
              name: networkName(trial.run),
              reason: expect.stringContaining('has active endpoints'),
            },
          },
        },
      ]);
      expect(await own()).toMatchObject([{ type: 'network' }]);
      // The volumes without a name have gone with their containers.
      const left = await trial.docker('volume', 'ls', '--quiet');
      expect(left.split('\n').filter((name) => name !== '' && volumes.includes(name))).toEqual([]);
      expect(await trial.docker('inspect', '--format', '{{.State.Running}}', foreign)).toBe('true');
    } finally {
      await trial.docker('rm', '-f', foreign);
    }
    expect(outcome(await remove(await own()))).toEqual(['network removed']);
  });

  it('leaves out what is not provably of a run, and what another project has made', async () => {
    trial = trialRun(host);
    const other = trialRun(host, `${trial.run.project},x`);
    try {
      await other.docker(
        'volume',
        'create',
        ...assignments(labelsOf(other.run, 1)).flatMap((label) => ['--label', label]),
        volumeName(other.run, 'v'),
      );
      const half = ['--label', 'argusai.managed=true', '--label', `argusai.project=${trial.run.project}`];
      await trial.docker('volume', 'create', ...half, `half-${trial.run.id}`);
      await trial.docker('volume', 'create', `bare-${trial.run.id}`);
      expect(await trial.runtime.resources({ project: trial.run.project }, signal())).toEqual([]);
      expect(await other.runtime.resources({ project: other.run.project }, signal())).toHaveLength(1);
    } finally {
      await other.cleanUp();
      await trial.docker('volume', 'rm', `bare-${trial.run.id}`);
    }
  });

  it('takes what is gone already, or is being removed by somebody else, for removed', async () => {
    trial = trialRun(host);
    await trial.start(serviceOf('api', { image, command: 'sleep 100', volumes: ['data:/data'] }));
    const resources = await own();
    const both = await Promise.all([remove(resources), remove(resources)]);
    expect(both.flat().filter(({ removed }) => !removed)).toEqual([]);
    expect(outcome(await remove(resources))).toEqual([
      'container removed',
      'network removed',
      'volume removed',
    ]);
  });

  it('asks containers politely when it is given the time', async () => {
    trial = trialRun(host);
    const polite = serviceOf('polite', {
      image,
      command: ['sh', '-c', 'trap "echo bye > /data/said; exit 0" TERM; while true; do sleep 0.05; done'],
      volumes: ['data:/data'],
    });
    const context = await trial.start(
      polite,
      serviceOf('reader', { image, command: 'sleep 100', volumes: ['data:/data'] }),
    );
    const resources = await own();
    const gone = await remove(
      resources.filter(({ service }) => service === 'polite'),
      5_000,
    );
    expect(outcome(gone)).toEqual(['container removed']);
    const said = await trial.runtime.exec(serviceOf('reader', {}), 'cat /data/said', context);
    expect(said.output).toBe('bye');
  });

  it('gives one its time that is to be asked by another signal than SIGTERM', async () => {
    trial = trialRun(host);
    const folder = await mkdtemp(join(tmpdir(), 'argus-interrupt-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    await writeFile(join(folder, 'Dockerfile'), `FROM ${image}\nSTOPSIGNAL SIGINT`);
    const interrupted = serviceOf('interrupted', {
      build: { context: folder, args: {} },
      command: ['sh', '-c', 'trap "echo bye > /data/said; exit 0" INT; while true; do sleep 0.05; done'],
      volumes: ['data:/data'],
    });
    await trial.runtime.build?.(interrupted, trial.context([interrupted]));
    const reader = serviceOf('reader', { image, command: 'sleep 100', volumes: ['data:/data'] });
    const context = await trial.start(interrupted, reader);
    const ended = (await own()).filter(({ service }) => service === 'interrupted');
    const gone = await remove(ended, 5_000);
    expect(gone).toEqual([{ resource: ended[0], removed: true }]);
    const said = await trial.runtime.exec(reader, 'cat /data/said', context);
    expect(said.output).toBe('bye');
  });

  it('says for each that the daemon is at fault, and for a stranger that it is none of its own', async () => {
    trial = trialRun(host);
    const nowhere = trialRun('unix:///nowhere/docker.sock');
    const resource = (type: Resource['type']): Resource => ({
      runtime: 'docker',
      type,
      id: 'x1',
      name: 'x1',
      project: 'p',
      runId: 'r',
      store: 's',
      worktree: '/',
      createdAt: 1,
    });
    const options = { graceMs: 1_000, signal: signal() };
    const removals = await nowhere.runtime.remove([resource('container'), resource('process')], options);
    expect(outcome(removals)).toEqual(['container DOCKER_UNAVAILABLE', 'process CLEANUP_FAILED']);
  });

  it('stops when it is told to', async () => {
    trial = trialRun(host);
    await trial.start(serviceOf('api', { image, command: 'sleep 100' }));
    const aborted = AbortSignal.abort(new Error('enough'));
    await expect(trial.runtime.remove(await own(), { graceMs: 1_000, signal: aborted })).rejects.toThrow(
      'enough',
    );
  });
});
