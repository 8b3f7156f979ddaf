import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import {
  applyRecovery,
  createMemoryStore,
  labelsOf,
  planRecovery,
  type RunRecord,
  readRun,
  runChecks,
} from '@argusai/core';
import { buildKernel } from '@argusai/core/testing';
import docker from '@argusai/plugin-docker';
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { describeWithEngine } from '../../../tests/support/describe-with-engine.js';
import { makeTestImage } from '../../../tests/support/test-image.js';
import { countingDocker } from '../../plugin-docker/src/fixtures/counting-docker.js';
import { recordOf, remember } from './fixtures/left-overs.js';
import orphans from './index.js';

const signal = new AbortController().signal;

describeWithEngine('orphans.clean in a real engine', ({ host }) => {
  const mark = `orphans-${randomUUID().slice(0, 8)}`;
  const run = async (...args: string[]) => {
    const { stdout } = await promisify(execFile)('docker', ['--host', host, ...args], { timeout: 60_000 });
    return stdout.split('\n').filter((line) => line !== '');
  };
  const marked = ['--filter', `label=mark=${mark}`, '--quiet'];
  let image: string;

  /** What is there of this test, by name. */
  const names = async () => {
    const format = ['--format', '{{.Name}}'];
    const filter = marked.slice(0, 2);
    const [containers, networks, volumes] = await Promise.all([
      run('ps', '--all', ...filter, '--format', '{{.Names}}'),
      run('network', 'ls', ...filter, ...format),
      run('volume', 'ls', ...filter, ...format),
    ]);
    return [...(containers ?? []), ...(networks ?? []), ...(volumes ?? [])].sort();
  };

  /** Makes a network, a volume and containers that use both; gives back their names. */
  async function make(name: string, labels: Record<string, string>, containers: number): Promise<string[]> {
    const label = Object.entries({ ...labels, mark }).flatMap(([key, value]) => [
      '--label',
      `${key}=${value}`,
    ]);
    const base = `${mark}-${name}`;
    await Promise.all([
      run('network', 'create', ...label, base),
      run('volume', 'create', ...label, `${base}-data`),
    ]);
    const made = Array.from({ length: containers }, (_, index) => `${base}-${index}`);
    const using = ['--network', base, '--volume', `${base}-data:/data`];
    // One of them runs, and does not listen when it is asked to end.
    const command = ['sh', '-c', 'trap "" TERM; while :; do sleep 1; done'];
    await Promise.all(
      made.map((one, index) =>
        run(
          ...(index === 0 ? ['run', '--detach'] : ['create']),
          ...label,
          ...using,
          '--name',
          one,
          image,
          ...command,
        ),
      ),
    );
    return [...made, base, `${base}-data`];
  }

  async function removeAll() {
    const containers = await run('ps', '--all', ...marked);
    if (containers.length > 0) await run('rm', '--force', ...containers);
    const networks = await run('network', 'ls', ...marked);
    if (networks.length > 0) await run('network', 'rm', ...networks);
    const volumes = await run('volume', 'ls', ...marked);
    if (volumes.length > 0) await run('volume', 'rm', ...volumes);
  }

  beforeAll(async () => {
    image = await makeTestImage(host);
  });
  beforeEach(() => void vi.stubEnv('DOCKER_HOST', host));
  afterEach(async () => {
    vi.unstubAllEnvs();
    await removeAll();
  });

  it('removes twenty things of dead runs in few calls, and nothing else', async () => {
    const store = createMemoryStore();
    const own = await store.id();
    const runOf = (id: string, changes: Partial<RunRecord> = {}) =>
      recordOf(`${mark}-${id}`, { project: 'test', store: own, ...changes });
    const expired = await remember(store, runOf('expired', { leaseUntil: 0 }));
    const live = await remember(store, runOf('live'));
    const forgotten = runOf('forgotten');
    const foreign = runOf('foreign', { store: 'another-store', createdAt: 0 });
    const now = Date.now();
    const dead = [
      ...(await make('expired', labelsOf(expired, now), 10)),
      ...(await make('forgotten', labelsOf(forgotten, now), 6)),
    ];
    expect(dead).toHaveLength(20);
    const others = [
      ...(await make('live', labelsOf(live, now), 1)),
      ...(await make('foreign', labelsOf(foreign, 0), 1)),
      ...(await make('bank', labelsOf({ ...forgotten, project: 'bank' }, now), 1)),
      ...(await make('unlabelled', {}, 1)),
      ...(await make('half', { 'argusai.managed': 'true', 'argusai.project': 'test' }, 1)),
    ];
    expect(await names()).toEqual([...dead, ...others].sort());

    const { env, calls } = await countingDocker({ DOCKER_HOST: host });
    vi.stubEnv('PATH', env.PATH ?? '');
    const kernel = buildKernel({ store, plugins: [docker, orphans] });
    const options = { only: ['orphans.docker'] };
    const plan = await planRecovery(kernel, options);
    expect(plan.steps.map(({ data }) => data?.name).sort()).toEqual([...dead].sort());
    const { steps } = await applyRecovery(kernel, plan.hash ?? '', {
      ...options,
      mode: 'automatic',
      dryRun: false,
      signal,
    });

    expect(new Set(steps.map(({ outcome, verdict }) => `${outcome}, ${verdict}`))).toEqual(
      new Set(['applied, recovered']),
    );
    expect(await names()).toEqual(others.sort());
    const removals = (await calls()).filter((call) => / ?rm /.test(call));
    // Steps are handed on in portions, so that a repair can be stopped between them.
    expect(removals.length).toBeLessThan(dead.length / 2);
    expect(await readRun(store, expired.id)).toBeUndefined();
    expect(await readRun(store, live.id)).toBeDefined();

    const { checks } = await runChecks(kernel, options);
    expect(checks.filter(({ name }) => name === 'orphans.docker')).toMatchObject([
      { status: 'pass', message: 'nothing left behind' },
      { status: 'pass', target: 'foreign' },
    ]);
  }, 120_000);

  it('says what could not be removed, and removes the rest', async () => {
    const store = createMemoryStore();
    const dead = recordOf(`${mark}-stuck`, { project: 'test', store: await store.id() });
    const [container = '', network = '', volume = ''] = await make('stuck', labelsOf(dead, Date.now()), 1);
    // A stranger's container is in the network, and uses the volume.
    const stranger = `${mark}-stranger`;
    const using = ['--network', network, '--volume', `${volume}:/data`, '--name', stranger];
    await run('run', '--detach', '--label', `mark=${mark}`, ...using, image, 'sleep', '600');

    const kernel = buildKernel({ store, plugins: [docker, orphans] });
    const { hash } = await planRecovery(kernel, { only: ['orphans.docker'] });
    const { steps } = await applyRecovery(kernel, hash ?? '', {
      only: ['orphans.docker'],
      mode: 'automatic',
      dryRun: false,
      signal,
    });

    expect(steps.map(({ data, outcome, error }) => [data?.name, outcome, error?.code])).toEqual([
      [container, 'applied', undefined],
      [network, 'failed', 'CLEANUP_FAILED'],
      [volume, 'failed', 'CLEANUP_FAILED'],
    ]);
    expect(steps[1]?.error?.details).toMatchObject({ reason: expect.stringMatching(/active endpoints/) });
    expect(await names()).toEqual([network, stranger, volume].sort());
  }, 120_000);
});
