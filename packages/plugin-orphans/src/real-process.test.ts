import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  applyRecovery,
  createMemoryStore,
  ownIdentity,
  planRecovery,
  runChecks,
  type ServiceSpec,
} from '@argusai/core';
import { buildKernel } from '@argusai/core/testing';
import ports from '@argusai/plugin-ports';
import processes from '@argusai/plugin-process';
import { describe, expect, it, onTestFinished } from 'vitest';
import { freePorts } from '../../plugin-ports/src/fixtures/free-ports.js';
import { recordOf, remember } from './fixtures/left-overs.js';
import orphans from './index.js';

const signal = new AbortController().signal;
const service: ServiceSpec = {
  name: 'api',
  kind: 'service',
  command: ['sleep', '600'],
  ports: [],
  environment: {},
  dependsOn: [],
  restartWith: [],
  oneShot: false,
  vars: {},
  volumes: [],
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

  it('frees a port that the process of a dead run holds, and the conflict says that it is one', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'argus-orphans-'));
    onTestFinished(() => rm(dir, { recursive: true, force: true }));
    const store = createMemoryStore();
    const port = await freePorts(1);
    const listening = `require('node:net').createServer().listen(${port}, '127.0.0.1', () => console.log('up'))`;
    const command = [process.execPath, '-e', listening];
    const config = {
      services: { api: { command, ports: [`127.0.0.1:${port}:${port}`] } },
      resilience: { network: { portConflictStrategy: 'fail' } },
    };
    const plugins = [[processes, { dir: 'processes' }] as const, ports, orphans];
    const kernel = buildKernel({ dir, store, config, plugins });
    const { project, events, clock } = kernel;
    const runtime = kernel.runtimes.get('process');
    if (!runtime) throw new Error('There is no process runtime');
    const identity = { project: project.name, store: await store.id(), worktree: dir };
    const dead = await remember(
      store,
      recordOf('dead', { ...identity, owner: await ownIdentity(), leaseUntil: 0 }),
    );
    const listener = { ...service, command };
    await runtime.start(listener, 'x', { run: dead, project, services: [listener], events, clock, signal });
    onTestFinished(async () => {
      const left = await runtime.resources({ project: project.name }, signal);
      await runtime.remove(left, { graceMs: 1_000, signal });
    });
    const filter = { only: ['orphans.processes', 'ports.conflicts'] };
    const conflict = async (only = ['ports']) =>
      (await runChecks(kernel, { only })).checks.find(({ name }) => name === 'ports.conflicts');
    await expect.poll(async () => (await conflict())?.status, { timeout: 20_000 }).toBe('fail');

    expect(await conflict()).toMatchObject({
      message: expect.stringMatching(/, which a run that is over left behind; a setup removes it first$/),
      error: {
        suggestedActions: ['orphans.clean', 'setup', 'status'],
        details: { orphan: 'process:dead/api' },
      },
    });
    // Beside the check that finds the process itself it is no problem of its own.
    const folded = await conflict(filter.only);
    expect(folded).toMatchObject({
      status: 'skipped',
      causedBy: 'orphans.processes',
      causedByTarget: 'process:dead/api',
    });
    expect(folded).not.toHaveProperty('error');
    const { hash, steps: planned, unhandled } = await planRecovery(kernel, filter);
    expect(unhandled).toEqual([]);
    expect(planned.map(({ findings }) => findings.map(({ code }) => code).sort())).toEqual([
      ['ORPHAN_DETECTED'],
    ]);
    const options = { ...filter, mode: 'automatic', dryRun: false, signal } as const;
    const { steps } = await applyRecovery(kernel, hash ?? '', options);
    expect(steps).toMatchObject([{ outcome: 'applied', verdict: 'recovered' }]);
    expect(await conflict(filter.only)).toMatchObject({ status: 'pass' });
  });
});
