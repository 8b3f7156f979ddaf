import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { applyRecovery, createMemoryStore, ownIdentity, planRecovery, type ServiceSpec } from '@argusai/core';
import { buildKernel } from '@argusai/core/testing';
import processes from '@argusai/plugin-process';
import { describe, expect, it, onTestFinished } from 'vitest';
import { recordOf, remember } from './fixtures/left-overs.js';
import orphans from './index.js';

const signal = new AbortController().signal;
const service: ServiceSpec = {
  ...{ name: 'api', kind: 'service', command: ['sleep', '600'], ports: [], environment: {}, dependsOn: [] },
  ...{ restartWith: [], oneShot: false, vars: {}, volumes: [] },
};

describe('orphans.clean with real processes', () => {
  it('ends the process of a dead run and not that of a live one', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'argus-orphans-'));
    onTestFinished(() => rm(dir, { recursive: true, force: true }));
    const store = createMemoryStore();
    const kernel = buildKernel({ dir, store, plugins: [[processes, { dir: 'processes' }], orphans] });
    const { project, events, clock } = kernel;
    const runtime = kernel.runtimes.get('process');
    if (!runtime) throw new Error('There is no process runtime');

    const identity = {
      project: project.name,
      store: await store.id(),
      worktree: dir,
      owner: await ownIdentity(),
    };
    const dead = await remember(store, recordOf('dead', { ...identity, leaseUntil: 0 }));
    const live = await remember(store, recordOf('live', identity));
    for (const run of [dead, live]) {
      await runtime.start(service, 'x', { run, project, services: [service], events, clock, signal });
    }
    onTestFinished(async () => {
      const left = await runtime.resources({ project: project.name }, signal);
      await runtime.remove(left, { graceMs: 1_000, signal });
    });

    const filter = { only: ['orphans.processes'] };
    const { hash, steps: planned } = await planRecovery(kernel, filter);
    expect(planned.map(({ data }) => data?.runId)).toEqual(['dead']);
    const { steps } = await applyRecovery(kernel, hash ?? '', {
      ...filter,
      mode: 'automatic',
      dryRun: false,
      signal,
    });

    expect(steps).toMatchObject([{ outcome: 'applied', verdict: 'recovered' }]);
    const state = async (run: typeof dead) => (await runtime.inspect(run, ['api'], signal))[0]?.status;
    expect([await state(dead), await state(live)]).toEqual(['missing', 'running']);
  });
});
